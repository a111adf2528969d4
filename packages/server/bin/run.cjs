/** Starts the command line. A file of its own, since a Node that is too old cannot read `import()`. */
'use strict'

import('../dist/cli.js')

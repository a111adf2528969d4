/** Packs the packages into `tarballs`, as they would be published, for projects outside this repository. */
import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pack, root } from './run.ts'

const folder = join(root, 'tarballs')
rmSync(folder, { recursive: true, force: true })
pack(folder)
console.log(`In your project: npm install ${globSync(join(folder, '*.tgz')).join(' ')}`)

/** Packs the packages into `tarballs`, as they would be published, for projects outside this repository. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const folder = join(root, 'tarballs')
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
execFileSync(
  'npx',
  ['-y', packageManager, '--filter', './packages/*', 'pack', '--out', join(folder, '%s.tgz')],
  {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  },
)
const files = readdirSync(folder).map((file) => join(folder, file))
console.log(`In your project: npm install ${files.join(' ')}`)

/**
 * Builds the packages and the demo, in dependency order.
 *
 *     node scripts/build.ts                    everything
 *     node scripts/build.ts sandbox loader     only these
 *     node scripts/build.ts --stale [names]    only what changed since its last build
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './run.ts'

/** Each target's folder, and the targets whose sources end up in its output. */
const targets = {
  loader: { folder: 'packages/loader', uses: [] },
  react: { folder: 'packages/react', uses: ['loader'] },
  server: { folder: 'packages/server', uses: ['loader'] },
  sandbox: { folder: 'packages/sandbox', uses: [] },
  demo: { folder: 'apps/demo', uses: ['loader', 'react'] },
} as const
type Target = keyof typeof targets

const isTarget = (name: string): name is Target => name in targets

/** A hash of everything that can change a target's output. */
function fingerprint(target: Target): string {
  const folders = [target, ...targets[target].uses].map((name) => targets[name].folder)
  const files = folders
    .flatMap((folder) =>
      globSync(`${folder}/**/*.{ts,tsx,js,css,html,svg,json}`, { cwd: root, exclude: ignored }),
    )
    .concat('pnpm-lock.yaml', 'tsconfig.base.json')
    .sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

const ignored = (path: string): boolean => /(^|\/)(node_modules|dist|test|\.cache)(\/|$)/.test(path)

function build(target: Target): void {
  const { folder } = targets[target]
  console.error(`building ${folder}`)
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: join(root, folder),
    encoding: 'utf8',
  })
  if (status !== 0) {
    console.error(stdout, stderr)
    throw new Error(`The build of ${folder} failed; its output is above.`)
  }
}

const args = process.argv.slice(2)
const staleOnly = args.includes('--stale')
const names = args.filter((arg) => arg !== '--stale')
const unknown = names.find((name) => !isTarget(name))
if (unknown)
  throw new Error(`There is no target "${unknown}". Choose from: ${Object.keys(targets).join(', ')}.`)

for (const target of Object.keys(targets).filter(isTarget)) {
  if (names.length > 0 && !names.includes(target)) continue
  const stamp = join(root, '.cache', 'build', target)
  const current = fingerprint(target)
  const fresh =
    existsSync(stamp) &&
    existsSync(join(root, targets[target].folder, 'dist')) &&
    readFileSync(stamp, 'utf8') === current
  if (staleOnly && fresh) continue
  build(target)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, current)
}

/**
 * Runs the tools of `check` that the workspace itself does not need, from the lock file in `lint`: no secret in a tracked file or a packed
 * package, the terms of lint/.textlintrc.json in the documents, and nothing in the browsers' files that the oldest browsers of
 * docs/quality.md can't read.
 *
 *     node scripts/lint.ts          after scripts/packages.ts, which unpacks the packages
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const folder = join(root, 'lint')
const oldest = 'chrome 99, edge 99, firefox 101, safari 16.4'

/** Documents that still have other terms: this list only gets shorter. */
const toBeRewritten: readonly string[] = ['mutation/survivors.md']

/** Web interfaces that one of the oldest browsers lacks; es-check knows those of the language. */
const laterInterfaces =
  /\bURL\.(?:canParse|parse)\b|\bAbortSignal\.(?:any|timeout)\b|\bstructuredClone\(|\b(?:show|toggle)Popover\b|\bCloseWatcher\b|\.requestClose\(|\bstartViewTransition\b|\.checkVisibility\(|\.moveBefore\(|\.setHTMLUnsafe\(/

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
execFileSync('npx', ['-y', packageManager, 'install', '--frozen-lockfile', '--prefer-offline'], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
})

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const sources = tracked.filter((path) => !/(^|\/)pnpm-lock\.yaml$|\.(png|svg|woff2|ico)$/.test(path))
const packed = globSync('.cache/packages/*/**/*.{js,cjs,ts,json,md,map}', { cwd: root })
run('secretlint', root, [
  '--secretlintrc',
  join(folder, 'secretlint.json'),
  '--no-glob',
  '--no-gitignore',
  ...sources,
  ...packed,
])

const documents = tracked.filter((path) => path.endsWith('.md') && !toBeRewritten.includes(path))
run(
  'textlint',
  folder,
  documents.map((path) => join('..', path)),
)

const built = globSync('packages/{loader,react}/dist/**/*.js', { cwd: root })
run('es-check', root, [
  'checkBrowser',
  `--browserslistQuery=${oldest}`,
  '--module',
  '--checkFeatures',
  ...built,
])
for (const path of built) {
  const found = laterInterfaces.exec(readFileSync(join(root, path), 'utf8'))?.[0]
  if (found) fail(`${path}: ${found} is newer than ${oldest}`)
}

function run(tool: string, cwd: string, args: readonly string[]): void {
  console.log(`> ${tool}`)
  const { status } = spawnSync(join(folder, 'node_modules', '.bin', tool), args, { cwd, stdio: 'inherit' })
  if (status !== 0) fail(`${tool} failed; see above.`)
}

function fail(reason: string): void {
  console.error(reason)
  process.exitCode = 1
}

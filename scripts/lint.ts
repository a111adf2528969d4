/**
 * Runs those tools of `check` that the workspace itself does not need, from the lock file in `lint`: no secret in a tracked file or a
 * packed package, the terms of lint/.textlintrc.json in the documents, and nothing in the browser files that the oldest browsers in
 * docs/quality.md do not support.
 *
 *     node scripts/lint.ts          after scripts/packages.ts, which unpacks the packages
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installTools, root, run } from './run.ts'

const folder = join(root, 'lint')
const oldest = 'chrome 99, edge 99, firefox 101, safari 16.4'

/** Web interfaces that one of the oldest browsers lacks; es-check knows those of the language. */
const laterInterfaces =
  /\bURL\.(?:canParse|parse)\b|\bAbortSignal\.(?:any|timeout)\b|\bstructuredClone\(|\b(?:show|toggle)Popover\b|\bCloseWatcher\b|\.requestClose\(|\bstartViewTransition\b|\.checkVisibility\(|\.moveBefore\(|\.setHTMLUnsafe\(/

function lint(tool: string, ...args: readonly string[]): void {
  console.log(`> ${tool}`)
  run(root, join(folder, 'node_modules', '.bin', tool), ...args)
}

installTools(folder)

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const sources = tracked.filter((path) => !/(^|\/)pnpm-lock\.yaml$|\.(png|svg|woff2|ico)$/.test(path))
const packed = globSync('.cache/packages/*/**/*.{js,cjs,ts,json,md,map}', { cwd: root })
const config = join(folder, 'secretlint.json')
lint('secretlint', '--secretlintrc', config, '--no-glob', '--no-gitignore', ...sources, ...packed)

const documents = tracked.filter((path) => path.endsWith('.md'))
lint('textlint', '--config', join(folder, '.textlintrc.json'), ...documents)

const built = globSync('packages/{loader,react}/dist/**/*.js', { cwd: root })
lint('es-check', 'checkBrowser', `--browserslistQuery=${oldest}`, '--module', '--checkFeatures', ...built)
for (const path of built) {
  const found = laterInterfaces.exec(readFileSync(join(root, path), 'utf8'))?.[0]
  if (found) throw new Error(`${path}: ${found} is newer than ${oldest}`)
}

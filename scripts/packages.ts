/**
 * Packs the four packages into `tarballs` as they would be published, checks them with publint and attw, and leaves them unpacked in
 * .cache/packages, where scripts/lint.ts searches for secrets.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { pack, root, run } from './run.ts'

const packed = join(root, 'tarballs')
const folder = join(root, '.cache', 'packages')

/** The problems of one package as published; empty when there are none. */
async function complaintsOf(name: string): Promise<string[]> {
  const tarball = join(packed, `purchase-widget-${name}.tgz`)
  const { buffer } = new Uint8Array(readFileSync(tarball))
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  return [
    ...messages.map((message) => formatMessage(message, pkg) ?? message.code),
    ...typeProblems(tarball, scriptsOf(pkg)),
    ...unpacked(name, tarball)
      .filter(isOfTests)
      .map((path) => `${path} is of the tests`),
  ]
}

/** Unpacks the package, and returns its paths. */
function unpacked(name: string, tarball: string): string[] {
  const cwd = join(folder, name)
  mkdirSync(cwd, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', cwd, '--strip-components=1'])
  return globSync('**/*', { cwd }).filter((path) => statSync(join(cwd, path)).isFile())
}

const isOfTests = (path: string): boolean =>
  /(^|\/)(tests?|__tests__|__mocks__|fixtures)\//.test(path) ||
  /\.(test|spec|suite|bench)(-d)?\.[cm]?[jt]sx?$/.test(path)

/** The packages are ES modules, so `require` is not checked. Files for `<script>` are not imported, and have no types. */
function typeProblems(tarball: string, scripts: readonly string[]): string[] {
  const excluded = scripts.length > 0 ? ['--exclude-entrypoints', ...scripts] : []
  const args = [tarball, '--profile', 'esm-only', '--no-color', ...excluded]
  const { status, stdout } = spawnSync('attw', args, { encoding: 'utf8' })
  return status === 0 ? [] : [stdout]
}

/** The exports that are a plain JavaScript file. */
const scriptsOf = ({ exports = {} }: { exports?: unknown }): string[] =>
  Object.entries(exports as object)
    .filter(([, target]) => typeof target === 'string' && target.endsWith('.js'))
    .map(([name]) => name)

for (const path of [packed, folder]) rmSync(path, { recursive: true, force: true })
run(root, 'node', 'scripts/build.ts', '--stale')
pack(packed)
for (const name of ['loader', 'react', 'server', 'sandbox']) {
  const complaints = await complaintsOf(name)
  console.log(`${name}: ${complaints.length === 0 ? 'clean' : complaints.join('\n')}`)
  if (complaints.length > 0) process.exitCode = 1
}
console.log(`In your project: npm install ${globSync(join(packed, '*.tgz')).join(' ')}`)

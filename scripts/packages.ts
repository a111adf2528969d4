/**
 * Packs the four packages as they would be published, has publint and attw look at the tarballs, and leaves them unpacked in
 * .cache/packages, where scripts/lint.ts looks for secrets.
 *
 *     node scripts/packages.ts [loader react …]
 */
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const root = dirname(import.meta.dirname)
const tarballs = join(root, '.cache', 'packages')
const { packageManager } = readJson(join(root, 'package.json'))

/** The complaints about one package, as published; empty when there are none. */
async function complaintsOf(name: string): Promise<string[]> {
  const folder = join(root, 'packages', name)
  const tarball = join(tarballs, `${name}.tgz`)
  run('npx', ['-y', String(packageManager), 'pack', '--out', tarball], folder)
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

/** The paths in the package. */
function unpacked(name: string, tarball: string): string[] {
  const folder = join(tarballs, name)
  mkdirSync(folder)
  run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], root)
  return globSync('**/*', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile())
}

const isOfTests = (path: string): boolean =>
  /(^|\/)(tests?|__tests__|__mocks__|fixtures)\//.test(path) ||
  /\.(test|spec|suite|bench)(-d)?\.[cm]?[jt]sx?$/.test(path)

/** The packages are ES modules: `require` of them is no case. Files for `<script>` are not imported, and have no types. */
function typeProblems(tarball: string, scripts: string[]): string[] {
  const excluded = scripts.length > 0 ? ['--exclude-entrypoints', ...scripts] : []
  try {
    run('attw', [tarball, '--profile', 'esm-only', '--no-color', ...excluded], root)
    return []
  } catch (error) {
    return [String((error as { stdout?: unknown }).stdout)]
  }
}

/** The exports that are one plain file of JavaScript. */
function scriptsOf({ exports = {} }: { exports?: unknown }): string[] {
  return Object.entries(exports as object)
    .filter(([, target]) => typeof target === 'string' && target.endsWith('.js'))
    .map(([name]) => name)
}

function run(command: string, args: string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: 'pipe' })
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8'))
}

const names = process.argv.slice(2)
rmSync(tarballs, { recursive: true, force: true })
mkdirSync(tarballs, { recursive: true })
run('node', ['scripts/build.ts', '--stale'], root)
for (const name of names.length > 0 ? names : ['loader', 'react', 'server', 'sandbox']) {
  const complaints = await complaintsOf(name)
  console.log(`${name}: ${complaints.length === 0 ? 'clean' : complaints.join('\n')}`)
  if (complaints.length > 0) process.exitCode = 1
}

/**
 * Makes the documentation site in docs/site/dist: the API reference from the sources, then every page of docs/ with its Markdown twin and
 * an index for search. A broken link or a public name without its types fails.
 *
 *     node scripts/docs.ts            makes it
 *     node scripts/docs.ts --serve    makes it, and serves it on this machine
 *
 * `playwright test --config e2e/docs/playwright.config.ts` reads it as a visitor does.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const site = join(root, 'docs', 'site')

// The site's generator has a lock file of its own; `npx` as in the README, because a fresh machine has only npm.
run(root, 'npm', 'run', '--silent', '--prefix', 'docs/reference', 'build')
run(site, 'npx', '-y', packageManager(), 'install', '--frozen-lockfile', '--prefer-offline')
run(site, 'vitepress', 'build')
console.log('The site is in docs/site/dist.')
if (process.argv.includes('--serve')) run(site, 'vitepress', 'preview')

function packageManager(): string {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    packageManager: string
  }
  return packageManager
}

function run(folder: string, command: string, ...args: string[]): void {
  const PATH = `${join(folder, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`
  const { status } = spawnSync(command, args, {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, PATH },
  })
  if (status !== 0) process.exit(status ?? 1)
}

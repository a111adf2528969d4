/** Installs runtimes and drivers from their own lock file, generates Prisma's client, and puts the package as it would be published beside them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import workspace from '../../../package.json' with { type: 'json' }

const here = import.meta.dirname
const root = join(here, '../../..')
const unpacked = join(here, 'node_modules/@purchase-widget/server')
const tarball = join(root, '.cache/runtimes/server.tgz')

export default function install(): void {
  const run = (command: string, args: string[], cwd: string): void =>
    void execFileSync(command, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
      // Any program that is there: Prisma would download an engine that it does not use for this.
      env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
    })
  run('npx', ['-y', workspace.packageManager, 'install', '--frozen-lockfile'], here)
  run('npx', ['-y', workspace.packageManager, 'exec', 'prisma', 'generate'], here)
  run('node', ['scripts/build.ts', '--stale', 'loader', 'server'], root)
  run('npx', ['-y', workspace.packageManager, 'pack', '--out', tarball], join(root, 'packages/server'))
  rmSync(unpacked, { recursive: true, force: true })
  mkdirSync(unpacked, { recursive: true })
  // What it depends on is found further up, in packages/server/node_modules.
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', unpacked], here)
}

/** Installs the drivers from their own lock file, and generates Prisma's client. */
import { execFileSync } from 'node:child_process'
import workspace from '../../../package.json' with { type: 'json' }

export default function install(): void {
  const run = (...args: string[]): void =>
    void execFileSync('npx', ['-y', workspace.packageManager, ...args], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
      // Any program that is there: Prisma would download an engine that it does not use for this.
      env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
    })
  run('install', '--frozen-lockfile')
  run('exec', 'prisma', 'generate')
}

/** Runs programs synchronously for the scripts in this folder. */
import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import workspace from '../package.json' with { type: 'json' }

export const root = dirname(import.meta.dirname)

/** Runs a program from the folder, the workspace or the PATH. If it fails, this process exits with its exit code. */
export function run(cwd: string, command: string, ...args: readonly string[]): void {
  const bins = [cwd, root].map((folder) => join(folder, 'node_modules', '.bin'))
  const PATH = [...bins, process.env.PATH].join(delimiter)
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, PATH } })
  if (status !== 0) process.exit(status ?? 1)
}

/** With `npx`, because a fresh machine has only npm. */
export const pnpm = (cwd: string, ...args: readonly string[]): void =>
  run(cwd, 'npx', '-y', workspace.packageManager, ...args)

/** Installs tools from their own lock file, so that the workspace's install stays short. */
export const installTools = (folder: string): void =>
  pnpm(
    folder,
    'install',
    '--ignore-workspace',
    '--ignore-scripts',
    '--frozen-lockfile',
    '--prefer-offline',
    '--reporter=silent',
  )

/** Packs the packages as they would be published: `purchase-widget-server.tgz` in this folder. */
export const pack = (folder: string): void =>
  pnpm(root, '--reporter=silent', '--filter', './packages/*', 'pack', '--out', join(folder, '%s.tgz'))

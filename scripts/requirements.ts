/** What a proof needs of the machine. `pnpm test` skips what is not there, and says so; `pnpm evidence` does not begin. */
import { spawnSync } from 'node:child_process'
import { chromiumLaunch, firefoxLaunch, webkitPrograms } from './browsers.ts'

const answers = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** The name of each program, and whether it is on this machine. */
const requirements = {
  Chromium: () => chromiumLaunch() !== null,
  Firefox: () => firefoxLaunch() !== null,
  'WebKit (webkit2gtk-driver and xvfb)': () => webkitPrograms() !== null,
  'redis-server': () => answers('redis-server') || answers('valkey-server'),
} satisfies Record<string, () => boolean>

/** The names of those that are not there. */
export const missingPrograms = (table: Record<string, () => boolean> = requirements): string[] =>
  Object.entries(table)
    .filter(([, isThere]) => !isThere())
    .map(([name]) => name)

/** What `ENGINES=all` and `pnpm evidence` need: neither begins while one of these programs is missing. */
import { globSync } from 'node:fs'
import { chromiumLaunch, firefoxLaunch, webkitPrograms } from './browsers.ts'

/** The name of each program, and whether it is on this machine. */
const requirements = {
  Chromium: () => chromiumLaunch() !== null,
  Firefox: () => firefoxLaunch() !== null,
  'WebKit (webkit2gtk-driver and xvfb)': () => webkitPrograms() !== null,
  // Debian keeps the server's programs out of the path. These versions are the ones that the tests look for.
  postgresql: () => globSync('/usr/lib/postgresql/1{5,6,7}/bin/initdb').length > 0,
} satisfies Record<string, () => boolean>

/** The names of those that are not there. */
export const missingPrograms = (table: Record<string, () => boolean> = requirements): string[] =>
  Object.entries(table)
    .filter(([, isThere]) => !isThere())
    .map(([name]) => name)

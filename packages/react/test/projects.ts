/** The tests run with each React version that we support: on a server, and in Chromium against a sandbox. */
import { join } from 'node:path'
import type { Alias } from 'vite'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { inChromium } from '../../../scripts/inChromium.ts'
import { recordFigure } from '../../../scripts/proof.ts'
import { maxWorkers } from '../../../scripts/tier.ts'
import { service } from './service.ts'

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Like the function in scripts/proof.ts, for a test in the browser. */
    recordFigure: (claim: string, figure: string) => Promise<void>
  }
}

const root = join(import.meta.dirname, '..')

/** Where the imports `react` and `react-dom` resolve, by major version. */
const versions = { 18: '-18', 19: '' }

const aliasOf = (suffix: string): Alias[] => [
  { find: /^react(-dom)?(\/.*)?$/, replacement: `react$1${suffix}$2` },
]

const onServer = ([version, suffix]: [string, string]): TestProjectInlineConfiguration => ({
  root,
  resolve: { alias: aliasOf(suffix) },
  test: {
    name: `react-server-${version}`,
    include: ['test/server/*.test.tsx'],
    maxWorkers,
    // React's own imports bypass Vite.
    execArgv: suffix ? ['--import', join(import.meta.dirname, 'server/react18.ts')] : [],
  },
})

export const onPage = ([version, suffix]: [string, string]): TestProjectInlineConfiguration => ({
  root,
  cacheDir: `../../.cache/vite/react-${version}`,
  plugins: [service()],
  resolve: { alias: aliasOf(suffix) },
  // Listed here, because a dependency that Vite discovers in the middle of a run reloads everything.
  optimizeDeps: {
    include: [
      'react',
      'react/jsx-runtime',
      'react/jsx-dev-runtime',
      'react-dom',
      'react-dom/client',
      'react-dom/server',
      'react-dom/test-utils',
      '@testing-library/react',
    ],
  },
  test: {
    name: `react-${version}`,
    include: ['test/browser/*.test.tsx'],
    maxWorkers,
    testTimeout: 60_000,
    browser: {
      ...inChromium(),
      commands: { recordFigure: (_context, claim: string, figure: string) => recordFigure(claim, figure) },
    },
  },
})

export const reactProjects: TestProjectInlineConfiguration[] = Object.entries(versions).flatMap((version) => [
  onServer(version),
  onPage(version),
])

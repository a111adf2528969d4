/** Vitest projects that run in Chromium against a sandbox: one for each React that we support. */
import { playwright } from '@vitest/browser-playwright'
import type { Alias } from 'vite'
import type { ViteUserConfig } from 'vitest/config'
import { chromiumLaunch } from '../../../scripts/browsers.ts'
import { recordFigure } from '../../../scripts/proof.ts'
import { maxWorkers } from '../../../scripts/tier.ts'
import { service } from './service.ts'

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** As in scripts/proof.ts, from a test in the browser. */
    recordFigure: (claim: string, figure: string) => Promise<void>
  }
}

interface Version {
  name: string
  /** Where the imports `react` and `react-dom` lead. */
  react: string
  reactDom: string
  include: string[]
}

/** Lets the imports `react` and `react-dom` lead to other packages. */
export const reactAlias = (react: string, reactDom: string): Alias[] => [
  { find: /^react(\/.*)?$/, replacement: `${react}$1` },
  { find: /^react-dom(\/.*)?$/, replacement: `${reactDom}$1` },
]

export const browserProject = ({ name, react, reactDom, include }: Version): ViteUserConfig => ({
  cacheDir: `../../.cache/vite/${name}`,
  plugins: [service()],
  resolve: {
    alias: reactAlias(react, reactDom),
  },
  // Found at the start: a dependency that is found in the middle of a run loads everything anew.
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
    name,
    include,
    maxWorkers,
    testTimeout: 60_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: chromiumLaunch() ?? {} }),
      instances: [{ browser: 'chromium' }],
      commands: { recordFigure: (_context, claim: string, figure: string) => recordFigure(claim, figure) },
    },
  },
})

/** Builds and serves the documentation site, and tests it as a visitor: `playwright test --config e2e/docs/playwright.config.ts`. */
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from '../../scripts/browsers.ts'

/** Where `vitepress preview` serves. */
const url = 'http://localhost:4173'

export default defineConfig({
  testDir: '.',
  outputDir: '../../.cache/docs-test',
  // A broken link fails the build of the site.
  webServer: {
    command: 'node scripts/docs.ts --serve',
    cwd: join(import.meta.dirname, '..', '..'),
    url,
    timeout: 600_000,
    reuseExistingServer: false,
    stdout: 'pipe',
  },
  workers: 2,
  fullyParallel: true,
  timeout: 120_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    baseURL: url,
    browserName: 'chromium',
    launchOptions: chromiumLaunch() ?? {},
    actionTimeout: 60_000,
  },
})

/** Makes the documentation site and reads it as a visitor: `playwright test --config e2e/docs/playwright.config.ts`. */
import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from '../../scripts/browsers.ts'

export default defineConfig({
  testDir: '.',
  outputDir: '../../.cache/docs-test',
  globalSetup: './makeSite.ts',
  workers: 2,
  fullyParallel: true,
  timeout: 120_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: { browserName: 'chromium', launchOptions: chromiumLaunch() ?? {}, actionTimeout: 60_000 },
})

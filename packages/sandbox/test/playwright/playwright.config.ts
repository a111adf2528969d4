/** How test/kit.test.ts runs Playwright. */
import { tmpdir } from 'node:os'
import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from '../../../../scripts/browsers.ts'

export default defineConfig({
  workers: 1,
  reporter: 'json',
  // Only stops hanging tests, as in e2e/playwright.config.ts.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  outputDir: `${tmpdir()}/sandbox-playwright`,
  use: { launchOptions: chromiumLaunch() ?? {} },
})

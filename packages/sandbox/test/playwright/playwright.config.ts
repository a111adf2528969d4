/** How test/playwright.test.ts runs Playwright. */
import { tmpdir } from 'node:os'
import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from '../../../../scripts/browsers.ts'

export default defineConfig({
  workers: 1,
  reporter: 'json',
  outputDir: `${tmpdir()}/sandbox-playwright`,
  use: { launchOptions: chromiumLaunch() ?? {} },
})

/** Builds each example, starts it against a sandbox, and buys one item in it. `playwright test --config examples/test/playwright.config.ts` */
import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from '../../scripts/browsers.ts'

export default defineConfig({
  testDir: '.',
  outputDir: '../../.cache/examples-test',
  workers: 2,
  fullyParallel: true,
  // A build takes its time on a small machine.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: { browserName: 'chromium', launchOptions: chromiumLaunch() ?? {}, actionTimeout: 20_000 },
})

import { defineConfig } from '@playwright/test'
import { slow } from '../scripts/tier.ts'
import type { EngineOption } from './fixtures/test.ts'
import { engineNames } from './scenarios/driver.ts'

export default defineConfig<object, EngineOption>({
  testDir: 'scenarios',
  // The quick tier covers a whole purchase in every way, and interference by shoppers and third parties.
  testIgnore: slow(
    '**/{accessibility,closedEarly,contentSecurityPolicy,coop,embedderPolicy,history}.spec.ts',
    '**/{openAndClose,opener,pendingResult,purchaseRows,readme,serviceFailures,shoppers,widgetFailures}.spec.ts',
  ),
  outputDir: '../.cache/e2e',
  fullyParallel: true,
  // Scenarios mostly wait.
  workers: 4,
  // Only stop hanging scenarios; none asserts a duration. An overloaded machine can take a minute for a step of one second.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  projects: engineNames.map((name) => ({
    name,
    use: { engineName: name },
    // Each worker starts a browser; for Firefox that takes as long as four scenarios.
    ...(name === 'firefox' && { workers: 2 }),
    // Some scenarios need only one engine.
    ...(name !== 'chromium' && { grepInvert: /@chromium/ }),
  })),
})

import { defineConfig } from '@playwright/test'
import { slow } from '../scripts/tier.ts'
import type { EngineOption } from './fixtures/test.ts'
import { engineNames } from './scenarios/driver.ts'

export default defineConfig<object, EngineOption>({
  testDir: 'scenarios',
  // The quick tier has a whole purchase in every way, and what shoppers and strangers do to it.
  testIgnore: slow(
    '**/{accessibility,closedEarly,contentSecurityPolicy,coop,embedderPolicy,history}.spec.ts',
    '**/{openAndClose,opener,pendingResult,readme,serviceFailures,shoppers,widgetFailures}.spec.ts',
  ),
  outputDir: '../.cache/e2e',
  fullyParallel: true,
  // Scenarios mostly wait.
  workers: 4,
  // They end what hangs; no scenario claims a time. A machine with more to do than it can takes a minute for what takes a second.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  projects: engineNames.map((name) => ({
    name,
    use: { engineName: name },
    // Each worker starts a browser, which takes Firefox as long as four scenarios.
    ...(name === 'firefox' && { workers: 2 }),
    // Some scenarios say that one engine is enough for them.
    ...(name !== 'chromium' && { grepInvert: /@chromium/ }),
  })),
})

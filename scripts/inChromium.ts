/** Configures Vitest to run tests in the installed Chromium. */
import { playwright } from '@vitest/browser-playwright'
import type { BrowserConfigOptions } from 'vitest/node'
import { chromiumLaunch } from './browsers.ts'

export const inChromium = (): BrowserConfigOptions => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions: chromiumLaunch() ?? {} }),
  instances: [{ browser: 'chromium' }],
})

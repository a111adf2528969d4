/** Chromium and Firefox, through Playwright. */
import { type Browser, chromium, firefox, type LaunchOptions } from '@playwright/test'
import { chromiumLaunch, firefoxLaunch } from '../../scripts/browsers.ts'
import type { Engine } from '../scenarios/driver.ts'
import { playwrightShopper } from './shopper.ts'

/** Starts Chromium, or returns null when it is not installed. */
export async function startChromium(): Promise<Engine | null> {
  const launch = chromiumLaunch()
  if (!launch) return null
  const browser = await chromium.launch({
    ...launch,
    // Playwright disables these features for convenience; shoppers have them.
    ignoreDefaultArgs: ['--disable-popup-blocking', '--disable-back-forward-cache'],
  })
  return {
    name: 'chromium',
    newShopper: async (options) => playwrightShopper('chromium', browser, options),
    close: () => browser.close(),
  }
}

/** Starts Firefox, or returns null when it is not installed. */
export async function startFirefox(): Promise<Engine | null> {
  const launch = firefoxLaunch()
  if (!launch) return null
  const start = (colorScheme: 'light' | 'dark'): Promise<Browser> =>
    firefox.launch({
      ...launch,
      firefoxUserPrefs: { ...shopperPreferences, [prefersColorScheme]: colorScheme === 'dark' ? 0 : 1 },
    })
  const light = await start('light')
  let dark: Promise<Browser> | undefined
  const inTheDark = (): Promise<Browser> => {
    dark ??= start('dark')
    return dark
  }
  return {
    name: 'firefox',
    newShopper: async (options) =>
      playwrightShopper('firefox', options?.colorScheme === 'dark' ? await inTheDark() : light, options),
    async close() {
      await light.close()
      await (await dark)?.close()
    },
  }
}

/** Needed because Playwright's own `colorScheme` has no effect here. */
const prefersColorScheme = 'layout.css.prefers-color-scheme.content-override'

const shopperPreferences: NonNullable<LaunchOptions['firefoxUserPrefs']> = {
  // The preferences that automation recommends would let a popup open long after the click.
  'remote.prefs.recommended': false,
  'dom.disable_open_during_load': true,
  // Otherwise Playwright loses track of cross-site frames.
  'fission.webContentIsolationStrategy': 0,
  // Playwright loses a page restored from Firefox's back/forward cache. Chromium's and WebKit's caches are enabled.
  'browser.sessionhistory.max_total_viewers': 0,
}

/**
 * How long a shopper waits: from the click to the widget's request, and to the widget that can be used. Each way of starting
 * early is measured against the same thing written by hand, in turn, in one run.
 */
import { type Browser, chromium } from 'playwright'
import { chromiumLaunch } from '../../scripts/browsers.ts'
import { type Bench, median, rounded } from '../bench.ts'
import { byHand } from '../contestants/byHand.ts'
import { ours } from '../contestants/ours.ts'
import { type BenchSites, startSites } from './servers.ts'

const runs = 30
/** Milliseconds that the pointer rests on the button before the click, in the `intent` rows. */
const hover = 250

const contestants = {
  'on click, by hand': byHand.onClick,
  'on click, loader': ours.onClick,
  'on intent, by hand': byHand.onIntent,
  'on intent, loader': ours.onIntent,
  'hidden frame, by hand': byHand.hiddenFrame,
  'eager, loader': ours.eager,
} as const

export const opening: Bench = {
  title: `Opening the widget, medians of ${runs} interleaved runs in Chromium, milliseconds`,
  async run() {
    const launch = chromiumLaunch()
    if (!launch) throw new Error('No Chromium was found; install it with `npx playwright install chromium`.')
    // A widget takes a while, as real ones do.
    const sites = await startSites(contestants, { token: 150, page: 200, script: 100 })
    const browser = await chromium.launch(launch)
    const requests = new Map<string, number[]>()
    const usable = new Map<string, number[]>()
    for (let round = 0; round < runs; round++) {
      for (const name of Object.keys(contestants)) {
        const measured = await openOnce(browser, sites, name)
        requests.set(name, [...(requests.get(name) ?? []), measured.request])
        usable.set(name, [...(usable.get(name) ?? []), measured.usable])
      }
    }
    await browser.close()
    await sites.close()
    return Object.fromEntries(
      Object.keys(contestants).map((name) => [
        name,
        {
          'click → request': rounded(median(requests.get(name) ?? [])),
          'click → usable': rounded(median(usable.get(name) ?? [])),
        },
      ]),
    )
  },
}

async function openOnce(
  browser: Browser,
  sites: BenchSites,
  name: string,
): Promise<{ request: number; usable: number }> {
  const page = await browser.newPage()
  await page.goto(`${sites.merchant}/contestants/${encodeURIComponent(name)}`)
  // Long enough for everything that starts with the page to have finished.
  await page.waitForTimeout(800)
  if (name.startsWith('on intent')) {
    await page.hover('#buy')
    await page.waitForTimeout(hover)
  }
  await page.click('#buy')
  const figures = await page.evaluate<{ usable: number; clickedAt: number }>(
    '(async () => ({ usable: await window.usableAfter, clickedAt: window.clickedAt }))()',
  )
  await page.close()
  return { request: sites.lastWidgetRequest() - figures.clickedAt, usable: figures.usable }
}

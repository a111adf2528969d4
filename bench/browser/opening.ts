/**
 * Measures how long a shopper waits: from the click to the widget's request, and to the usable widget. Each way of starting
 * early is compared with a handwritten equivalent, alternately, in one run.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright'
import { startChromium } from '../../scripts/browsers.ts'
import { type Bench, interleave, rowsOf } from '../bench.ts'
import { byHand, ours } from '../contestants/buttons.ts'
import { type BenchSites, startSites } from './servers.ts'

/** Milliseconds that the pointer rests on the button before the click, in the `intent` rows. */
const hover = 250

interface Contestant {
  source: string
  /** The row that its figures are compared with. */
  reference?: string
  isPopup?: boolean
}

const cold = 'on click, a frame by hand'
const hidden = 'a hidden frame by hand'

const contestants: Record<string, Contestant> = {
  [cold]: { source: byHand.onClick },
  'on click, loader, iframe': { source: ours.onClick('iframe'), reference: cold },
  'on click, loader, modal': { source: ours.onClick('modal'), reference: cold },
  'on click, a popup by hand': { source: byHand.popup, isPopup: true },
  'on click, loader, popup': {
    source: ours.onClick('popup'),
    reference: 'on click, a popup by hand',
    isPopup: true,
  },
  'by the link, a frame by hand': { source: byHand.link, reference: cold },
  'by the link, loader, iframe': { source: ours.byLink('iframe'), reference: cold },
  'by the link, loader, modal': { source: ours.byLink('modal'), reference: cold },
  'by the link, a popup by hand': {
    source: byHand.popupLink,
    reference: 'on click, a popup by hand',
    isPopup: true,
  },
  'by the link, loader, popup': {
    source: ours.byLink('popup'),
    reference: 'on click, a popup by hand',
    isPopup: true,
  },
  'on intent, a frame by hand': { source: byHand.onIntent, reference: cold },
  'on intent, loader, modal': { source: ours.onIntent('modal'), reference: cold },
  [hidden]: { source: byHand.hiddenFrame },
  'eager, loader, iframe': { source: ours.eager('iframe'), reference: hidden },
  'eager, loader, modal': { source: ours.eager('modal'), reference: hidden },
}

export const opening: Bench = {
  title: `Opening the widget in Chromium, milliseconds since the click; ratios to a frame or popup by hand, of \`intent\` (${hover} ms ahead) to the cold frame, of \`eager\` to a hidden loaded frame`,
  runs: 10,
  async run(runs) {
    const sources = Object.fromEntries(
      Object.entries(contestants).map(([name, { source }]) => [name, source]),
    )
    // Delays as in a real widget.
    const sites = await startSites(sources, { token: 150, page: 200, script: 100 })
    const browser = await startChromium()
    const measured = await interleave(Object.keys(contestants), runs, (name) =>
      openOnce(browser, sites, name),
    )
    await browser.close()
    await sites.close()
    return rowsOf(measured, (name) => contestants[name]?.reference)
  },
}

async function openOnce(browser: Browser, sites: BenchSites, name: string): Promise<Record<string, number>> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${sites.merchant}/contestants/${encodeURIComponent(name)}`)
  // Long enough for everything that starts on page load to finish.
  await page.waitForTimeout(800)
  if (name.startsWith('on intent')) {
    await page.hover('#buy')
    await page.waitForTimeout(hover)
  }
  await page.click('#buy')
  const clickedAt = await page.evaluate<number>('window.clickedAt')
  const isEarly = name === hidden || name.startsWith('eager')
  const usable = contestants[name]?.isPopup ? undefined : await page.evaluate<number>('window.usableAfter')
  while (!isEarly && usable === undefined && sites.lastWidgetRequest() < clickedAt) await delay(5)
  const request = sites.lastWidgetRequest() - clickedAt
  await context.close()
  return {
    // With an early start, the request precedes the click.
    ...(!isEarly && { 'to the request': request }),
    ...(usable !== undefined && { 'until it can be used': usable }),
  }
}

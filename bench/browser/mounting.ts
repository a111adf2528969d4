/** The cost of the React component to the page, compared with a bare frame: the task of one mount, and of a hundred, with effects and microtasks. */
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { startChromium } from '../../scripts/browsers.ts'
import { type Bench, interleave, rowsOf } from '../bench.ts'
import { bundle } from './bundles.ts'
import { startSites } from './servers.ts'

const contestants = [
  'a bare frame',
  'a frame without the address in an attribute',
  'PurchaseWidget, by the link',
  'PurchaseWidget, with a token',
]

export const mounting: Bench = {
  title: 'Mounting in React 19 in Chromium: milliseconds of the whole task; ratios to a bare frame',
  runs: 15,
  async run(runs) {
    const script = await bundle(join(import.meta.dirname, '..', 'react', 'contestants.tsx'), 'es')
    const sources: Record<string, string> = {}
    const sites = await startSites(sources, { token: 0, page: 0, script: 0 }, { react: script })
    for (const name of contestants)
      for (const times of [1, 100]) sources[pageOf(name, times)] = mountsItself(sites.widget, name, times)
    const browser = await startChromium()
    const measured = await interleave(contestants, runs, async (name) => ({
      'first mount': await mountOnce(browser, `${sites.merchant}/isolated/${pageOf(name, 1)}`),
      '100 mounts': await mountOnce(browser, `${sites.merchant}/isolated/${pageOf(name, 100)}`),
    }))
    await browser.close()
    await sites.close()
    return rowsOf(measured, () => 'a bare frame')
  },
}

const pageOf = (name: string, times: number): string => `${name.replaceAll(/\W+/g, '-')}-${times}`

/** The page mounts and reports the time itself, because code that the driver runs in a page counts as a click, which moves the focus. */
const mountsItself = (widgetUrl: string, name: string, times: number): string => `
  window.widgetUrl = '${widgetUrl}'
  await import('/scripts/react')
  const { port1, port2 } = new MessageChannel()
  let from = 0
  port1.onmessage = () => console.info(performance.now() - from)
  setTimeout(() => { from = performance.now(); port2.postMessage(null); mount['${name}'](${times}) })`

async function mountOnce(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage()
  const [said] = await Promise.all([
    page.waitForEvent('console', (message) => message.type() === 'info'),
    page.goto(url),
  ])
  await page.close()
  return Number(said.text())
}

/** What the React component costs the page, against a bare frame: the task of one mount, and of a hundred, with effects and microtasks. */
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright'
import { chromiumLaunch } from '../../scripts/browsers.ts'
import { type Bench, interleave, rowsOf } from '../bench.ts'
import { bundle } from './bundles.ts'
import { startSites } from './servers.ts'

const contestants = ['a bare frame', 'a frame without the address in an attribute', 'PurchaseWidget'] as const

export const mounting: Bench = {
  title: 'Mounting in React 19 in Chromium: milliseconds of the whole task; ratios to a bare frame',
  runs: 15,
  async run(runs) {
    const launch = chromiumLaunch()
    if (!launch) throw new Error('No Chromium was found; install it with `npx playwright install chromium`.')
    const script = await bundle(join(import.meta.dirname, '..', 'react', 'contestants.tsx'), 'es')
    const sources: Record<string, string> = {}
    const sites = await startSites(sources, { token: 0, page: 0, script: 0 }, { react: script })
    sources.react = `window.widgetUrl = '${sites.widget}'; await import('/scripts/react')`
    const browser = await chromium.launch(launch)
    const measured = await interleave(contestants, runs, async (name) => ({
      'first mount': await mountOnce(browser, `${sites.merchant}/isolated/react`, name, 1),
      '100 mounts': await mountOnce(browser, `${sites.merchant}/isolated/react`, name, 100),
    }))
    await browser.close()
    await sites.close()
    return rowsOf(measured, () => 'a bare frame')
  },
}

async function mountOnce(browser: Browser, url: string, name: string, times: number): Promise<number> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.waitForFunction('window.mount')
  const took = await page.evaluate<number>(`new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    let from = 0
    port1.onmessage = () => done(performance.now() - from)
    setTimeout(() => { from = performance.now(); port2.postMessage(null); mount[${JSON.stringify(name)}](${times}) })
  })`)
  await page.close()
  return took
}

/** The cost of an opening to the page: the whole task of the click including microtasks, for the first and for later openings. */
import type { Browser } from 'playwright'
import { startChromium } from '../../scripts/browsers.ts'
import { type Bench, interleave, rowsOf } from '../bench.ts'
import { openers, peerOpener } from '../contestants/openers.ts'
import { bundlePeer, peerNames } from './bundles.ts'
import { startSites } from './servers.ts'

const warmUps = 5

export const task: Bench = {
  title:
    'open() in Chromium: milliseconds of the whole task, with its microtasks; ratios to a frame by hand, of the modal to a dialog by hand',
  runs: 15,
  async run(runs) {
    const peers = peerNames()
    const scripts: Record<string, string> = {}
    for (const name of peers) scripts[name] = await bundlePeer(name, 'es')
    const all = { ...openers, ...Object.fromEntries(peers.map((name) => [name, peerOpener(name)])) }
    const sources: Record<string, string> = {}
    const sites = await startSites(sources, { token: 0, page: 0, script: 0 }, scripts)
    for (const [name, source] of Object.entries(all)) sources[name] = source(sites.widget)
    const browser = await startChromium()
    const measured = await interleave(Object.keys(all), runs, (name) =>
      openTwice(browser, `${sites.merchant}/isolated/${encodeURIComponent(name)}`),
    )
    await browser.close()
    await sites.close()
    return rowsOf(measured, (name) =>
      name.startsWith('loader, modal') ? 'a dialog by hand' : 'a frame by hand',
    )
  },
}

async function openTwice(browser: Browser, url: string): Promise<{ first: number; warm: number }> {
  const page = await browser.newPage()
  let failed: Error | undefined
  page.on('pageerror', (error) => {
    failed = error
  })
  await page.goto(url)
  await page.waitForFunction('window.bench')
  const times = await page.evaluate<{ first: number; warm: number }>(`(async () => {
    const channel = new MessageChannel()
    const task = (run) => new Promise((done) => {
      // Told now, heard as soon as this task and all its microtasks have ended.
      channel.port1.onmessage = () => done(performance.now() - from)
      setTimeout(() => { from = performance.now(); channel.port2.postMessage(null); run() })
      let from = 0
    })
    const rest = () => new Promise((resolve) => setTimeout(resolve, 60))
    const first = await task(() => bench.open())
    let warm = 0
    for (let turn = 0; turn < ${warmUps}; turn++) {
      await rest()
      bench.close()
      await rest()
      warm = await task(() => bench.open())
    }
    return { first, warm }
  })()`)
  await page.close()
  // An opening that throws would count as fast.
  if (failed) throw new Error(`${url} did not open.`, { cause: failed })
  return times
}

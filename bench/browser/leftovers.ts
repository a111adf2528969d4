/** What stays in the page after the widget was opened and closed many times, against a frame made and removed by hand. */
import { type CDPSession, chromium, type Page } from 'playwright'
import { chromiumLaunch } from '../../scripts/browsers.ts'
import { type Bench, type Rows, rounded } from '../bench.ts'
import { byHand } from '../contestants/byHand.ts'
import { ours } from '../contestants/ours.ts'
import { startSites } from './servers.ts'

/** Before the count begins: what is made once, and kept, is no leak. */
const warmUp = 100

const contestants = { 'by hand': byHand.cycle, loader: ours.cycle } as const

const counted = { Nodes: 'nodes', JSEventListeners: 'listeners', Frames: 'frames' }
type Counts = Record<string, number>

export const leftovers: Bench = {
  title: 'Left after that many mounts and unmounts in Chromium, after garbage collection',
  runs: 1_000,
  async run(cycles) {
    const launch = chromiumLaunch()
    if (!launch) throw new Error('No Chromium was found; install it with `npx playwright install chromium`.')
    const sites = await startSites(contestants, { token: 0, page: 0, script: 0 })
    const browser = await chromium.launch(launch)
    const rows: Rows = {}
    for (const name of Object.keys(contestants)) {
      const page = await browser.newPage()
      await page.goto(`${sites.merchant}/contestants/${encodeURIComponent(name)}`)
      await page.waitForFunction('window.cycle')
      const session = await page.context().newCDPSession(page)
      await session.send('Performance.enable')
      await repeat(page, warmUp)
      const before = await count(session)
      await repeat(page, cycles)
      const after = await count(session)
      const grown = (what: string): number => (after[what] ?? Number.NaN) - (before[what] ?? Number.NaN)
      rows[name] = {
        nodes: grown('nodes'),
        listeners: grown('listeners'),
        frames: grown('frames'),
        'heap, kB': rounded(grown('heap') / 1024),
      }
      await page.close()
    }
    await browser.close()
    await sites.close()
    return rows
  },
}

async function repeat(page: Page, times: number): Promise<void> {
  await page.evaluate(`(async () => { for (let turn = 0; turn < ${times}; turn++) await window.cycle() })()`)
}

async function count(session: CDPSession): Promise<Counts> {
  // What a collection frees may hold what only the next one can free.
  for (let round = 0; round < 3; round++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const counts = metrics.flatMap(({ name, value }) => {
    const what = counted[name as keyof typeof counted]
    return what ? [[what, value] as const] : []
  })
  return { ...Object.fromEntries(counts), heap: usedSize }
}

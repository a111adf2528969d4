/**
 * Measures how soon the demo is readable on a slow phone, and fails when it exceeds the design's budget.
 *
 *     npm run budget --prefix apps/demo
 *
 * It emulates a phone at a quarter of this CPU's speed: on slow 4G (1.6 Mbit/s, 150 ms) it measures the largest paint, the layout shift
 * and the JavaScript bytes; on slow 3G (400 kbit/s, 400 ms) the first text. Each is the median of five visits with an empty cache.
 */
import type { Browser, Page } from 'playwright'
import { startChromium } from '../../../scripts/browsers.ts'
import { startDemo } from '../server/startDemo.ts'

const VISITS = 5
const paths = ['/', '/token']

const networks = {
  'slow 4G': { latency: 150, bytesPerSecond: 1_600_000 / 8 },
  'slow 3G': { latency: 400, bytesPerSecond: 400_000 / 8 },
} as const

/** Milliseconds, a score, and bytes over the wire. */
const budget = { largestPaint: 1_000, shift: 0.001, script: 87_000, firstTextOnSlow3G: 2_000 }

interface Visit {
  firstPaint: number
  largestPaint: number
  shift: number
  script: number
}

async function visit(browser: Browser, url: string, network: keyof typeof networks): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 })
  try {
    const page = await context.newPage()
    const script = await throttle(page, network)
    await page.goto(url, { waitUntil: 'networkidle' })
    return { ...(await paintsOf(page)), script: script() }
  } finally {
    await context.close()
  }
}

/** Returns a function that counts the received JavaScript bytes, compressed and including headers. */
async function throttle(page: Page, network: keyof typeof networks): Promise<() => number> {
  const protocol = await page.context().newCDPSession(page)
  const { latency, bytesPerSecond } = networks[network]
  await protocol.send('Network.enable')
  await protocol.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond / 2,
  })
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const scripts = new Set<string>()
  let bytes = 0
  protocol.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  return () => bytes
}

const paintsOf = (page: Page): Promise<Omit<Visit, 'script'>> =>
  page.evaluate(async () => {
    const entriesOf = (type: string): Promise<PerformanceEntry[]> =>
      new Promise((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()))
        observer.observe({ type, buffered: true })
        setTimeout(() => resolve([]), 500)
      })
    const shifts = (await entriesOf('layout-shift')) as (PerformanceEntry & { value: number })[]
    return {
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      largestPaint: (await entriesOf('largest-contentful-paint')).at(-1)?.startTime ?? Number.NaN,
      shift: shifts.reduce((sum, { value }) => sum + value, 0),
    }
  })

const median = (numbers: number[]): number =>
  numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

async function mediansOf(browser: Browser, url: string, network: keyof typeof networks): Promise<Visit> {
  const visits: Visit[] = []
  for (let count = 0; count < VISITS; count++) visits.push(await visit(browser, url, network))
  const of = (name: keyof Visit): number => median(visits.map((one) => one[name]))
  return {
    firstPaint: of('firstPaint'),
    largestPaint: of('largestPaint'),
    shift: of('shift'),
    script: of('script'),
  }
}

const demo = await startDemo({ port: 0 })
const browser = await startChromium()
let failed = 0
try {
  for (const path of paths) {
    const fast = await mediansOf(browser, demo.url + path, 'slow 4G')
    const slow = await mediansOf(browser, demo.url + path, 'slow 3G')
    const rows = [
      ['largest paint, ms', fast.largestPaint, budget.largestPaint],
      ['layout shift', fast.shift, budget.shift],
      ['JavaScript, bytes', fast.script, budget.script],
      ['first text on slow 3G, ms', slow.firstPaint, budget.firstTextOnSlow3G],
    ] as const
    for (const [name, measured, most] of rows) {
      // NaN exceeds the budget too.
      const fits = measured <= most
      if (!fits) failed++
      console.log(
        `${fits ? 'ok  ' : 'OVER'} ${path} ${name}: ${Math.round(measured * 1000) / 1000} of ${most}`,
      )
    }
  }
} finally {
  await browser.close()
  await demo.close()
}
process.exitCode = failed === 0 ? 0 : 1

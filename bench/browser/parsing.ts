/** What a script costs a page before anybody clicks: to parse it and to run it, over an empty script. */
import { readFile } from 'node:fs/promises'
import { type Browser, chromium } from 'playwright'
import { build } from 'vite'
import { chromiumLaunch } from '../../scripts/browsers.ts'
import { type Bench, median, rounded } from '../bench.ts'

const runs = 60

export const parsing: Bench = {
  title: `Parsing and running a script, medians of ${runs} interleaved runs in Chromium, milliseconds`,
  async run() {
    const launch = chromiumLaunch()
    if (!launch) throw new Error('No Chromium was found; install it with `npx playwright install chromium`.')
    const scripts: Record<string, string> = {
      'an empty script': '',
      'stub, loader': await built('stub.js'),
      'script tag, loader': await built('purchase-widget.js'),
      'Wert 7.0.6': await bundled(import.meta.resolve('@wert-io/widget-initializer')),
    }
    const browser = await chromium.launch(launch)
    const times = new Map<string, number[]>()
    for (let run = 0; run < runs; run++) {
      for (const [name, source] of Object.entries(scripts)) {
        times.set(name, [...(times.get(name) ?? []), await runOnce(browser, source)])
      }
    }
    await browser.close()
    const empty = median(times.get('an empty script') ?? [])
    return Object.fromEntries(
      [...times].map(([name, measured]) => {
        const time = median(measured)
        return [name, { whole: rounded(time), 'over an empty script': rounded(time - empty) }]
      }),
    )
  },
}

const built = (name: string): Promise<string> =>
  readFile(new URL(`../../packages/loader/dist/${name}`, import.meta.url), 'utf8')

/** A package from npm as one script, as its users would bundle it. */
async function bundled(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry: new URL(entry).pathname, formats: ['iife'], name: 'Contestant' },
    },
  })
  const [bundle] = [result].flat()
  if (!bundle || !('output' in bundle)) throw new Error(`${entry} could not be bundled.`)
  return bundle.output[0].code
}

/** In a page of its own, which is isolated so that its clock is fine enough. */
async function runOnce(browser: Browser, source: string): Promise<number> {
  const page = await browser.newPage()
  await page.route('**/*', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: {
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      },
      body: '<!doctype html><title>Bench</title>',
    }),
  )
  await page.goto('https://bench.example/')
  const took = await page.evaluate((text) => {
    const script = document.createElement('script')
    script.textContent = text
    const from = performance.now()
    document.head.append(script)
    return performance.now() - from
  }, source)
  await page.close()
  return took
}

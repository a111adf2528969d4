/** The cost of a script to a page before any click: parsing and running it, compared with an empty script; also on a slow machine. */
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright'
import { startChromium } from '../../scripts/browsers.ts'
import { type Bench, interleave, type Measured, median, rowsOf } from '../bench.ts'
import { bundle, bundlePeer, peerNames } from './bundles.ts'

const empty = 'an empty script'
const firstImport = new URL('../../packages/loader/src/createPurchaseWidget.ts', import.meta.url).pathname

export const parsing: Bench = {
  title: 'Parsing and running a script in Chromium, over an empty one, in milliseconds; ratios to Wert',
  runs: 20,
  async run(runs) {
    const scripts: Record<string, string> = {
      [empty]: '',
      'first import, loader': await bundle(firstImport, 'iife', /\/rest(Again)?\.ts$/),
      'script tag, first file, loader': await built('purchase-widget.js'),
      'script tag, second file, loader': await built('purchase-widget.rest.js'),
    }
    for (const name of peerNames()) scripts[name] = await bundlePeer(name, 'iife')
    const browser = await startChromium()
    const measured = await interleave(Object.keys(scripts), runs, async (name) => ({
      '1×': await runOnce(browser, scripts[name] ?? '', 1),
      '4× throttled': await runOnce(browser, scripts[name] ?? '', 4),
    }))
    await browser.close()
    return rowsOf(overEmpty(measured), () => 'wert')
  },
}

function overEmpty(measured: Measured): Measured {
  const floor = measured.get(empty) ?? {}
  const rest = [...measured].filter(([name]) => name !== empty)
  return new Map(
    rest.map(([name, values]) => [
      name,
      Object.fromEntries(
        Object.entries(values).map(([what, own]) => [
          what,
          own.map((value) => value - median(floor[what] ?? [])),
        ]),
      ),
    ]),
  )
}

const built = (name: string): Promise<string> =>
  readFile(new URL(`../../packages/loader/dist/${name}`, import.meta.url), 'utf8')

/** Runs in a separate page, which is isolated to get a high-resolution clock. */
async function runOnce(browser: Browser, source: string, throttling: number): Promise<number> {
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
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttling })
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

/**
 * Makes the pictures of README.md and docs/quickstart.md from the running demo.
 *
 *     node scripts/build.ts --stale && node scripts/screenshots.ts
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { chromiumLaunch } from './browsers.ts'

const root = dirname(import.meta.dirname)
const folder = join(root, 'docs', 'images')

const desktop = { width: 1280, height: 860 }
const phone = { width: 390, height: 800 }

interface Shot {
  path: string
  viewport: { width: number; height: number }
  colorScheme: 'light' | 'dark'
  /** Default 2, for pictures that are made smaller. */
  scale?: number
  /** A CSS selector. Default: the whole viewport. */
  part?: string
  /** What a person does before the picture is taken. */
  act?: (page: Page) => Promise<void>
}

/** Starts the demo and gives its address. */
async function startDemo(): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn('node', ['apps/demo/server/main.ts', '--port', '0'], { cwd: root, stdio: 'pipe' })
  child.stderr.pipe(process.stderr)
  for (let output = ''; ; ) {
    const [chunk] = await once(child.stdout, 'data')
    output += chunk
    const url = /Open (\S+)/.exec(output)?.[1]
    if (url) return { url, process: child }
  }
}

/** A page of the demo, as a person has it before them. */
async function shoot(
  browser: Browser,
  url: string,
  { path, viewport, colorScheme, scale = 2, part, act }: Shot,
): Promise<Buffer> {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(url + path)
  await act?.(page)
  await page.evaluate('document.fonts.ready')
  const picture = await (part ? page.locator(part) : page).screenshot()
  await context.close()
  return picture
}

async function openWidget(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Buy/ }).click()
  await page.frameLocator('iframe').getByLabel('Card number').waitFor()
  await page.mouse.move(0, 0)
}

async function buyInFrame(page: Page): Promise<void> {
  await openWidget(page)
  const widget = page.frameLocator('iframe')
  await widget.getByLabel('Email').fill('ada@example.com')
  await widget.getByLabel('Card number').fill('4242 4242 4242 4242')
  await widget.getByLabel('Expiry date').fill('12/34')
  await widget.getByLabel('Security code').fill('123')
  await widget.getByRole('button', { name: /^Pay/ }).click()
  await page.getByTestId('purchase-result').waitFor()
  // The order is handed over by webhook, a moment before or after.
  await page.getByText('delivered', { exact: true }).waitFor()
}

/** The desktop's page with the phone's over its corner, on nothing, so that it sits well on light and dark. */
async function compose(browser: Browser, wide: Buffer, narrow: Buffer): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1540, height: 960 }, deviceScaleFactor: 1 })
  const source = (picture: Buffer): string => `data:image/png;base64,${picture.toString('base64')}`
  await page.setContent(`
    <style>
      body { margin: 0; background: transparent; }
      img { position: absolute; display: block; box-shadow: 0 0 0 1px #0003, 0 1.2rem 3rem #0005; }
      .wide { left: 24px; top: 24px; width: 1180px; border-radius: 14px; }
      .narrow { right: 24px; bottom: 24px; width: 346px; border-radius: 30px; }
    </style>
    <img class="wide" src="${source(wide)}"><img class="narrow" src="${source(narrow)}">`)
  await page.waitForFunction('[...document.images].every((image) => image.complete)')
  const picture = await page.screenshot({ omitBackground: true })
  await page.close()
  return picture
}

const launch = chromiumLaunch()
if (!launch) throw new Error('There is no Chromium on this machine: run `playwright install chromium` first.')
mkdirSync(folder, { recursive: true })
const demo = await startDemo()
const browser = await chromium.launch(launch)
try {
  const wide = await shoot(browser, demo.url, {
    path: '/?product=gold-1200&mode=popup',
    viewport: desktop,
    colorScheme: 'light',
  })
  const narrow = await shoot(browser, demo.url, {
    path: '/?product=club-monthly&mode=modal',
    viewport: phone,
    colorScheme: 'dark',
    act: openWidget,
  })
  const story = await shoot(browser, demo.url, {
    path: '/?product=skin-aurora&mode=modal&redirectPage=new',
    viewport: desktop,
    colorScheme: 'light',
    part: '.story',
    act: buyInFrame,
  })
  writeFileSync(join(folder, 'demo.png'), await compose(browser, wide, narrow))
  writeFileSync(join(folder, 'demo-story.png'), story)
} finally {
  await browser.close()
  demo.process.kill('SIGINT')
}

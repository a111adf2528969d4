/** What the code panel shows is what runs: its text, copied into pages of this shop, sells; the server's files are those that run. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordFigure } from '../../../scripts/proof.ts'
import { type Demo, startDemo } from '../server/startDemo.ts'
import { launchChromium, newProfile } from './browser.ts'
import type { Fulfilled } from './visitor.ts'

const app = join(import.meta.dirname, '..')
const folder = join(app, '.cache', 'shown-sells')

let demo: Demo
let browser: Browser
beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  ;[demo, browser] = await Promise.all([startDemo({ port: 0 }), launchChromium()])
})
afterAll(async () => {
  await browser.close()
  await demo.close()
  rmSync(folder, { recursive: true, force: true })
})

async function visitShop(): Promise<Page> {
  const page = await (
    await newProfile(browser, {
      viewport: { width: 1280, height: 800 },
      // A page that the test answers for counts as one of the internet, which may not frame one of this machine.
      permissions: ['local-network-access'],
    })
  ).newPage()
  await page.goto(`${demo.url}/?product=gold-550`)
  return page
}

/** The text of a tab, as a visitor would copy it. */
async function shown(page: Page, tab: string): Promise<string> {
  await page.getByRole('tab', { name: tab, exact: true }).click()
  return `${await page.getByRole('tabpanel').textContent()}`.trimEnd()
}

/** Puts a page of a merchant's own in the shop's place, and buys there. */
async function sells(page: Page, body: string, press: 'link' | 'button'): Promise<void> {
  await page.route('**/mine.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><title>Mine</title><body>${body}</body></html>`,
    }),
  )
  await page.goto(`${demo.url}/mine.html`)
  await page.getByRole(press, { name: 'Buy 550 gold' }).click()
  const widget = page.frameLocator('iframe')
  await widget.getByLabel('Email').fill('ada@example.com')
  await widget.getByLabel('Card number').fill('4242 4242 4242 4242')
  await widget.getByLabel('Expiry date').fill('12/34')
  await widget.getByLabel('Security code').fill('123')
  await widget.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(/\/return\.html/)
  await page.getByText('It’s yours').waitFor()
  const delivered = async (): Promise<string[]> => {
    const answer = await page.request.get(`${demo.url}/api/shop/deliveries`)
    return ((await answer.json()) as Fulfilled).delivered.map(({ productId }) => productId)
  }
  await expect.poll(delivered).toEqual(['gold-550'])
}

test('the script tag’s text sells', async () => {
  const page = await visitShop()
  await sells(page, await shown(page, 'Script tag'), 'link')
  recordFigure('The demo’s code panel, script tag', 'bought, verified, delivered')
  await page.context().close()
})

test('React’s text sells', async () => {
  const page = await visitShop()
  writeFileSync(join(folder, 'Buy.tsx'), await shown(page, 'React'))
  writeFileSync(
    join(folder, 'main.tsx'),
    `import { createRoot } from 'react-dom/client'
    import { Buy } from './Buy.tsx'
    createRoot(document.querySelector('#app')!).render(<Buy />)`,
  )
  const built = (await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    // As for a merchant's own build, although a test runs it.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: join(folder, 'main.tsx'), formats: ['es'], fileName: 'main' },
    },
  })) as Rolldown.RolldownOutput[]
  const script = built[0]?.output[0].code ?? ''
  await page.route('**/mine.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
  await sells(page, '<div id="app"></div><script type="module" src="/mine.js"></script>', 'button')
  recordFigure('The demo’s code panel, React', 'bought, verified, delivered')
  await page.context().close()
})

test('the webview’s text leads to the widget, and knows the way back', async () => {
  const page = await (await newProfile(browser)).newPage()
  await page.goto(`${demo.url}/webview.html?product=gold-550`)
  const file = join(folder, 'webview.ts')
  writeFileSync(file, `${await page.locator('#code').textContent()}`)
  const app: { launchUrl: string; returnedFrom: (url: string) => string | undefined } = await import(file)

  const visited: string[] = []
  page.on('request', (request) => visited.push(request.url()))
  await page.goto(app.launchUrl)
  await page.getByRole('button', { name: 'Fill in a test card and pay' }).click()
  await expect.poll(() => visited.some((url) => app.returnedFrom(url) !== undefined)).toBe(true)
  const [purchaseId] = visited.flatMap((url) => app.returnedFrom(url) ?? [])
  const known = async (): Promise<unknown> =>
    (await page.request.get(`${demo.url}/api/purchase-widget/purchases/${purchaseId}`)).json()
  await expect.poll(known).toMatchObject({ status: 'complete', state: 'matched' })
  recordFigure('The demo’s code panel, webview', 'bought, its return known')
  await page.context().close()
})

test.each([
  ['Server', 'server/companion.ts'],
  ['Price', 'server/createPurchase.ts'],
  ['Delivery', 'server/fulfil.ts'],
  ['Return page', 'web/return/main.tsx'],
])('%s is the shop’s own file', async (tab, file) => {
  const page = await visitShop()
  expect(await shown(page, tab)).toBe(readFileSync(join(app, file), 'utf8').trimEnd())
  await page.context().close()
})

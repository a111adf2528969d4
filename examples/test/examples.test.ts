// Promise: docs/examples
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type FrameLocator, type Page } from '@playwright/test'
import { createSandbox, type Sandbox } from '@purchase-widget/sandbox'
import { freePort } from '../../scripts/freePort.ts'
import { build, type Running, serve } from './serve.ts'
import { expectSessions } from './sessions.ts'

const test = base.extend<object, { sandbox: Sandbox }>({
  sandbox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures out of this pattern.
    async ({}, use) => {
      const sandbox = await createSandbox()
      await use(sandbox)
      await sandbox.close()
    },
    { scope: 'worker' },
  ],
})

const environment = ({ urls, credentials }: Sandbox): Record<string, string> => ({
  PURCHASE_WIDGET_URL: urls.widgetUrl,
  PURCHASE_WIDGET_API_URL: urls.widgetApiUrl,
  PURCHASE_BASE_URL: urls.baseUrl,
  PURCHASE_API_KEY: credentials.apiKey,
  PURCHASE_SECRET_KEY: credentials.secretKey,
})

/** What a build has: no addresses and no keys. */
const nothing: Record<string, string> = {}

const aMonthLater = '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+2592e6'

/** Where the widget shows after whatever click it takes. */
type Open = (page: Page) => Promise<Page | FrameLocator>

const inThePage: Open = async (page) => page.frameLocator('iframe')

const inADialog: Open = async (page) => {
  await page.getByRole('button', { name: 'Buy' }).click()
  return page.frameLocator('dialog iframe')
}

const inAWindow: Open = async (page) => {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Buy' }).click()
  return opened
}

const examples = [
  { name: 'vite-spa', companion: 'server-node', open: inThePage },
  { name: 'nextjs', companion: null, open: inADialog, rendersOnServer: true },
  { name: 'react-router', companion: null, open: inAWindow, rendersOnServer: true },
  { name: 'vue', companion: 'server-node', open: inThePage },
  { name: 'svelte', companion: 'server-node', open: inAWindow },
]

for (const { name, companion, open, rendersOnServer = false } of examples) {
  test(`${name} builds without secrets, and sells one item`, async ({ page, sandbox }) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    const [port, companionPort] = await Promise.all([freePort(), freePort()])
    const folder = await mkdtemp(join(tmpdir(), 'example-'))
    const env = {
      ...environment(sandbox),
      PURCHASE_COMPANION_URL: `http://localhost:${port}/api/purchase-widget`,
      DATABASE: join(folder, 'shop.sqlite'),
      SESSION_SECRET: 'the secret of the shop, with 32 characters',
    }
    const running: Running[] = []
    try {
      const backend = companion ? await serve(companion, companionPort, env) : null
      if (backend) running.push(backend)
      await build(name, nothing)
      const shop = backend
        ? await serve(name, port, { COMPANION: backend.url }, ['--port', String(port)])
        : await serve(name, port, env)
      running.push(shop)
      await page.goto(shop.url)
      if (rendersOnServer) await hydrated(page)
      await pay(await open(page))
      await expect(page.getByRole('status').filter({ hasText: 'complete' })).toHaveText(
        /^Order \w+ is complete\.$/,
      )
      await expect.poll((backend ?? shop).output).toMatch(/Deliver gold-100 for order \w+\./)
      expect(complaints).toEqual([])
      if (backend) return
      const start = async (more: Record<string, string>): Promise<string> => {
        const other = await serve(name, await freePort(), { ...env, ...more })
        running.push(other)
        return other.url
      }
      const later = await start({ NODE_OPTIONS: aMonthLater })
      const elsewhere = await start({ SESSION_SECRET: 'another secret, which has 32 characters' })
      await expectSessions({ shop: shop.url, later, elsewhere })
    } catch (error) {
      // Says whether it was the page or the server.
      const printed = running.map(({ url, output }) => `${url} printed:\n${output()}`)
      console.error([`${name}: the page complained: ${complaints.join('; ')}`, ...printed].join('\n'))
      throw error
    } finally {
      await Promise.all(running.map(({ stop }) => stop()))
      await rm(folder, { recursive: true, force: true })
    }
  })
}

/** A button that the server has drawn does nothing until React has taken it over, and then it carries what React knows of it. */
async function hydrated(page: Page): Promise<void> {
  const isTaken = (): Promise<boolean> =>
    page
      .getByRole('button', { name: 'Buy' })
      .evaluate((button) => Object.keys(button).some((key) => key.startsWith('__reactProps')))
  await expect.poll(isTaken, 'React has the button').toBe(true)
}

async function pay(widget: Page | FrameLocator): Promise<void> {
  await widget.getByLabel('Email').fill('jane@example.com')
  await widget.getByLabel('Card number').fill('4242 4242 4242 4242')
  await widget.getByLabel('Expiry date').fill('12/34')
  await widget.getByLabel('Security code').fill('123')
  await widget.getByRole('button', { name: /^Pay/ }).click()
}

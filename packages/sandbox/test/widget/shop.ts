/** A shop with the widget page in a real Chromium, on a sandbox of its own: what every test of the page starts from. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright'
import { chromiumLaunch } from '../../../../scripts/browsers.ts'
import { createSandbox, type Sandbox } from '../../src/index.ts'

export interface Shop {
  sandbox: Sandbox
  /** Where the merchant's pages are: another origin than the widget's. */
  url: string
  /** The page of the current profile. */
  page: Page
  context: BrowserContext
  /** Starts a profile of the test's own, with an empty page: for options, a clock, a script in each page. */
  useProfile: (options?: BrowserContextOptions) => Promise<Page>
  /** Empties sandbox and browser for the next test. Its page stays, since a new one takes a second, unless the profile was a test's own. */
  reset: () => Promise<void>
  /** Makes a token, for 30 days unless told otherwise. */
  createToken: (expirationDays?: string) => Promise<string>
  /** The address of the widget page with these order fields. */
  widgetAddress: (params?: Record<string, string>, token?: string) => Promise<string>
  /** Opens the widget page and waits until it can be used. */
  open: (params?: Record<string, string>) => Promise<void>
  /** Calls the control plane. */
  control: (method: string, path: string, body?: unknown) => Promise<unknown>
  orders: () => Promise<OrderSeen[]>
  close: () => Promise<void>
}

interface OrderSeen {
  id: string
  type: string
  fail_reason: string
  email: string
  product_id: string
}

const viewport = { width: 390, height: 780 }

export async function openShop(): Promise<Shop> {
  const launch = chromiumLaunch()
  if (!launch) throw new Error('No Chromium was found. Run `npx playwright install chromium`.')
  const [browser, sandbox, server] = await Promise.all([
    chromium.launch(launch),
    createSandbox(),
    serveShop(),
  ])

  const newContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport, ...options })
    context.setDefaultTimeout(60_000)
    return context
  }

  const createToken: Shop['createToken'] = async (expirationDays = '30') => {
    const { apiKey, secretKey } = sandbox.credentials
    const address = `${sandbox.urls.widgetApiUrl}/api/widget/refresh/access_token`
    const headers = { 'api-key': apiKey, 'secret-key': secretKey }
    const { accessToken } = await requestJson('POST', address, { expirationDays }, headers)
    return accessToken
  }

  const widgetAddress: Shop['widgetAddress'] = async (params = {}, token) => {
    const query = new URLSearchParams({ accessToken: token ?? (await createToken()), ...params })
    return `${sandbox.urls.widgetUrl}/widget/?${query}`
  }

  const control: Shop['control'] = (method, path, body) =>
    requestJson(method, `${sandbox.urls.controlUrl}/${path}`, body)

  const startProfile = async (options?: BrowserContextOptions): Promise<void> => {
    await shop.context.close()
    shop.context = await newContext(options)
    shop.page = await shop.context.newPage()
  }

  const context = await newContext()
  let isShared = true
  const shop: Shop = {
    sandbox,
    url: server.url,
    context,
    page: await context.newPage(),
    async useProfile(options) {
      isShared = false
      await startProfile(options)
      return shop.page
    },
    async reset() {
      sandbox.reset()
      if (isShared) await emptyProfile(shop)
      else await startProfile()
      isShared = true
    },
    createToken,
    widgetAddress,
    async open(params) {
      await shop.page.goto(await widgetAddress(params))
      await shop.page.getByRole('button', { name: /^Pay/ }).waitFor()
    },
    control,
    orders: () => requestJson('GET', `${sandbox.urls.controlUrl}/orders`),
    async close() {
      await Promise.all([browser.close(), sandbox.close(), server.close()])
    },
  }
  return shop
}

/** Only the page of the tests is left, empty and as it was made. */
async function emptyProfile({ context, page }: Shop): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.goto('about:blank')
  await page.unrouteAll()
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

/** The merchant's pages: any address answers with the same one. */
async function serveShop(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>Shop</title><h1>Back in the shop</h1>')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  return {
    url: `http://localhost:${port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

async function requestJson(method: string, url: string, body?: unknown, headers = {}) {
  const response = await fetch(url, {
    method,
    // A connection that is kept may be closed by the sandbox in the moment in which it is used again.
    headers: { connection: 'close', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? null : response.json()
}

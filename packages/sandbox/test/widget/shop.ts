/** A shop with the widget page in a real Chromium, with its own sandbox and the shopper's actions: the basis of every test of the page. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, BrowserContextOptions, FrameLocator, Page } from 'playwright'
import { afterAll, beforeEach } from 'vitest'
import { startChromium } from '../../../../scripts/browsers.ts'
import { startTestSandbox, type TestSandbox } from '../../src/testing/index.ts'

export interface Shop {
  sandbox: TestSandbox
  /** Origin of the merchant's pages, different from the widget's. */
  url: string
  /** The page of the current profile. */
  page: Page
  context: BrowserContext
  /** Starts a new profile with an empty page, for tests that need options, a clock or a script in each page. */
  useProfile: (options?: BrowserContextOptions) => Promise<void>
  /** Resets sandbox and browser for the next test. The page stays, since a new one takes a second, unless the test had its own profile. */
  reset: () => Promise<void>
  /** Creates a token. Default: 30 days. */
  createToken: (expirationDays?: string) => Promise<string>
  /** The address of the widget page with these order fields. */
  widgetAddress: (params?: Record<string, string>, token?: string) => Promise<string>
  /** Opens the widget page, and waits until it is usable. */
  open: (params?: Record<string, string>) => Promise<void>
  /** Opens a page of the shop, and the widget from there. The page records received messages in `received`. */
  openFromShop: (place: 'frame' | 'popup', params: Record<string, string>) => Promise<void>
  close: () => Promise<void>
}

/** Opens a shop for one test file; sandbox and page are empty before each test. */
export async function shopForTests(): Promise<Shop> {
  const shop = await openShop()
  beforeEach(shop.reset)
  afterAll(shop.close)
  return shop
}

const viewport = { width: 390, height: 780 }

async function openShop(): Promise<Shop> {
  const [browser, sandbox, server] = await Promise.all([startChromium(), startTestSandbox(), serveShop()])

  const newContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport, ...options })
    context.setDefaultTimeout(60_000)
    return context
  }

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
    },
    async reset() {
      sandbox.reset()
      if (isShared) await emptyProfile(shop)
      else await startProfile()
      isShared = true
    },
    async createToken(expirationDays = '30') {
      const { apiKey, secretKey } = sandbox.credentials
      const response = await fetch(`${sandbox.urls.widgetApiUrl}/api/widget/refresh/access_token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'api-key': apiKey, 'secret-key': secretKey },
        body: JSON.stringify({ expirationDays }),
      })
      if (!response.ok) throw new Error(`No token, but ${response.status}.`)
      return (await response.json()).accessToken
    },
    async widgetAddress(params = {}, token) {
      const query = new URLSearchParams({ accessToken: token ?? (await shop.createToken()), ...params })
      return `${sandbox.urls.widgetUrl}/widget/?${query}`
    },
    async open(params) {
      await shop.page.goto(await shop.widgetAddress(params))
      await shop.page.getByRole('button', { name: /^Pay/ }).waitFor()
    },
    async openFromShop(place, params) {
      await shop.page.goto(`${shop.url}/product`)
      await shop.page.evaluate(openWidget, [place, await shop.widgetAddress(params)] as const)
    },
    async close() {
      await Promise.all([browser.close(), sandbox.close(), server.close()])
    },
  }
  return shop
}

/** Runs in the page. */
function openWidget([place, address]: readonly ['frame' | 'popup', string]): void {
  const received: unknown[] = []
  Object.assign(window, { received })
  addEventListener('message', ({ data }) => received.push(data))
  if (place === 'popup') window.open(address, 'widget', 'popup,width=420,height=700')
  else
    document.body.append(
      Object.assign(document.createElement('iframe'), { src: address, width: 400, height: 700 }),
    )
}

/** Leaves only the tests' page, empty as it was created. */
async function emptyProfile({ context, page }: Shop): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.goto('about:blank')
  await page.unrouteAll()
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

/** Serves the merchant's pages: the same page at every address. */
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

interface Payment {
  email?: string
  card?: string
  expiry?: string
  code?: string
}

/** Fills the four fields, in any language. */
export async function fillPayment(
  page: Page | FrameLocator,
  { email = 'ada@example.com', card = '4242 4242 4242 4242', expiry = '12/49', code = '123' }: Payment = {},
): Promise<void> {
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=card_number]').fill(card)
  await page.locator('[name=expiry_date]').fill(expiry)
  await page.locator('[name=security_code]').fill(code)
}

/** Fills the four fields and pays: a whole purchase. */
export async function pay(page: Page | FrameLocator, payment?: Payment): Promise<void> {
  await fillPayment(page, payment)
  await page.locator('.pay > .button').click()
}

/** Order fields of a purchase above the low-KYC limit, so that the page requires full KYC. */
export const aboveLowLimit = { product_id: 'btc', base: 'BTC', quote: 'USD', quote_amount: '900.00' }

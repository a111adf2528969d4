// Promise: launch/server-decides
/** How a purchase is created: which of the page's parameters it uses, what is stored of it, and what the widget receives. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { orderFields } from '../../src/client/wire.ts'
import {
  type CompanionOptions,
  type CreatePurchase,
  createPurchaseClient,
  memoryStore,
  type Shopper,
  type Store,
  type TokenGrant,
} from '../../src/index.ts'
import { checkDecision } from '../../src/purchase/begin.ts'
import { companionOf, get, mount, navigation, post, shopOrigin } from '../support/companion.ts'
import { settings } from '../support/settings.ts'

const client = createPurchaseClient(settings)
const tokens = { get: async () => ({ accessToken: 'token', expiresAt: null }) }
const priced = { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' }

/** Creates a purchase, and returns the input of the widget and the store. */
async function begin(
  createPurchase: CreatePurchase | undefined,
  body: object,
  options: Partial<CompanionOptions> = {},
) {
  const { store = memoryStore() } = options
  const decides = createPurchase ? { createPurchase } : {}
  const companion = companionOf(client, { store, tokens, url: mount, ...decides, ...options })
  const response = await companion.fetch(post('/token', body, 'ada:U1'))
  if (response.status !== 200) return { status: response.status, text: await response.text() }
  const { purchaseId, params } = (await response.json()) as TokenGrant
  return { status: 200, purchaseId, params, row: (await store.purchases.find(purchaseId))?.purchase }
}

const everything = Object.fromEntries(
  [...orderFields, 'accessToken', 'AccessToken', 'partner_data', 'theme'].map((field) => [field, 'evil']),
)

test('where the server decides, the page sets only open fields', async () => {
  const asked: unknown[] = []
  const { params, row } = await begin(
    ({ params, shopper }) => {
      asked.push(Object.keys(params), shopper)
      return { params: priced, open: ['email'] }
    },
    { params: { ...everything, locale: 'de' }, surface: 'popup', redirectPage: 'new' },
  )
  expect(params).toEqual({
    ...priced,
    email: 'evil',
    locale: 'de',
    custom_id: 'ada',
    user_id: 'U1',
    redirect_url: expect.stringMatching(`^${mount}/return/[\\w-]{22}$`),
    fail_redirect_url: expect.stringMatching(`^${mount}/return/[\\w-]{22}/failed$`),
    redirect_page: 'new',
  })
  expect(row).toMatchObject({
    shopper: { customId: 'ada', userId: 'U1' },
    params: priced,
    surface: 'popup',
    redirectPage: 'new',
    hostOrigin: shopOrigin,
  })
  expect(asked).toEqual([
    expect.not.arrayContaining([
      'custom_id',
      'accessToken',
      'AccessToken',
      'type',
      'hash',
      'fail_reason',
      'transaction_id',
      'id',
      'redirect_url',
      'fail_redirect_url',
      'redirect_page',
      'partner_data',
      'user_id',
    ]),
    { customId: 'ada', userId: 'U1' },
  ])
})

test('where the page decides, its fields are used, but not those of shopper, token or outcome', async () => {
  const { params, row } = await begin(undefined, {
    params: { ...everything, redirect_url: `${shopOrigin}/thanks`, fail_redirect_url: `${shopOrigin}/sorry` },
  })
  expect(row).toMatchObject({
    decidedBy: 'page',
    open: [],
    returnUrl: `${shopOrigin}/thanks`,
    failReturnUrl: `${shopOrigin}/sorry`,
    params: { quote_amount: 'evil', theme: 'evil' },
  })
  const passed = Object.keys(row?.params ?? {})
  for (const field of [
    'id',
    'type',
    'hash',
    'transaction_id',
    'fail_reason',
    'accessToken',
    'AccessToken',
    'partner_data',
  ]) {
    expect(passed).not.toContain(field)
    expect(params).not.toHaveProperty(field)
  }
  expect(params).toMatchObject({ custom_id: 'ada', user_id: 'U1', redirect_page: 'self' })
})

test.each([
  'https://evil.example/',
  'https://shop.example.evil.example/',
  'https://shop.example@evil.example/',
  '//evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'evil://shop.example/',
  '/return',
])('where the page decides, it must not return to %s', async (address) => {
  for (const field of ['redirect_url', 'fail_redirect_url']) {
    const { status, text } = await begin(undefined, { params: { [field]: address } })
    expect([status, text]).toEqual([400, expect.stringContaining(field)])
  }
})

test.each(['', '1st', 'two words', 'price!', 'x'.repeat(65)])(
  'a field named %j is refused',
  async (field) => {
    const { status, text } = await begin(undefined, { params: { [field]: 'x' } })
    expect([status, text]).toEqual([400, expect.stringContaining('no valid name')])
  },
)

test('the decision is stored, with shopper, place and time, and without personal data', async () => {
  const now = Date.now()
  const { row, purchaseId } = await begin(
    () => ({
      params: priced,
      open: ['email'],
      returnUrl: '/thanks',
      reference: 'basket-7',
      validFor: 60_000,
    }),
    { params: { email: 'ada@example.com', locale: 'de' }, surface: 'popup', redirectPage: 'new' },
    { now: () => now, authorize: () => ({ customId: 'ada', userId: 'U1', formerly: ['guest-1'] }) },
  )
  expect(purchaseId).toMatch(/^[\w-]{22}$/)
  expect(row).toEqual({
    id: purchaseId,
    shopper: { customId: 'ada', userId: 'U1' },
    formerly: ['guest-1'],
    params: priced,
    open: ['email'],
    chosen: { locale: 'de' },
    preload: false,
    decidedBy: 'server',
    reference: 'basket-7',
    returnUrl: `${shopOrigin}/thanks`,
    failReturnUrl: null,
    surface: 'popup',
    openedBy: 'shopper',
    redirectPage: 'new',
    hostOrigin: shopOrigin,
    carrier: 'return_url',
    locale: 'de',
    url: mount,
    begunAt: now,
    validUntil: now + 60_000,
  })
})

test('no purchase is created if createPurchase throws, or decides nothing', async () => {
  const store = memoryStore()
  for (const decide of [() => Promise.reject(new Error('sold out')), () => ({ params: {} })])
    expect((await begin(decide, {}, { store, onError: () => {} })).status).toBe(500)
  expect(await store.purchases.unsettled({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1 })).toEqual([])
})

test.each([
  [{ locale: 'fr' }, [], { locale: 'de' }, 'fr'],
  [{ locale: 'fr' }, ['locale'], { locale: 'de' }, 'de'],
  [{ locale: 'fr' }, ['locale'], {}, 'fr'],
  [{}, [], { locale: 'de' }, 'de'],
  [{}, [], {}, undefined],
])(
  'decided %j, open %j, asked for %j: the widget and our own pages speak %j',
  async (decided, open, requested, spoken) => {
    const decide: CreatePurchase = () => ({ params: { ...priced, ...decided }, open })
    const { row, params } = await begin(decide, { params: requested })
    expect([row?.locale, params?.locale]).toEqual([spoken ?? null, spoken])
  },
)

test.each<[Shopper, 'return_url' | 'custom_id', 'return_url' | 'custom_id']>([
  [{ customId: 'ada' }, 'return_url', 'return_url'],
  [{ customId: 'ada' }, 'custom_id', 'custom_id'],
  [{ userId: 'U1' }, 'return_url', 'custom_id'],
])('an order of %j, where %s is to carry, comes back by %s', async (shopper, carry, carries) => {
  const { row, params, purchaseId } = await begin(undefined, {}, { carry, authorize: () => shopper })
  expect(row?.carrier).toBe(carries)
  expect(params?.custom_id).toBe(carries === 'custom_id' ? `purchase_${purchaseId}` : 'ada')
})

test.each([
  ['redirect', 'new', 'self'],
  ['modal', 'new', 'new'],
  ['modal', 'self', 'self'],
])('shown as %s with %s, the widget returns to %s', async (surface, redirectPage, sent) => {
  const { row, params } = await begin(undefined, { surface, redirectPage })
  expect([row?.redirectPage, params?.redirect_page]).toEqual([redirectPage, sent])
})

describe('an unavailable store stops no purchase', () => {
  const storeWith = (begin: () => Promise<never>): Store => {
    const store = memoryStore()
    return { ...store, purchases: { ...store.purchases, begin } }
  }

  test('a purchase without its record is reported to the shop', async () => {
    const gone = new Error('gone')
    const onError = vi.fn()
    const { params } = await begin(undefined, {}, { store: storeWith(() => Promise.reject(gone)), onError })
    expect(params).toMatchObject({ custom_id: 'ada' })
    expect(onError.mock.calls[0]).toEqual([gone, undefined])
  })

  test('a purchase waits for its record for two seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const onError = vi.fn()
    let creating: ReturnType<typeof begin> | undefined
    await new Promise<void>((resolve) => {
      const hang = (): Promise<never> => {
        resolve()
        return new Promise(() => {})
      }
      creating = begin(undefined, {}, { store: storeWith(hang), onError })
    })
    await vi.advanceTimersByTimeAsync(1_999)
    expect(onError).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect((await creating)?.status).toBe(200)
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ message: 'The store did not answer in 2000 ms.' })
  })
})

// Promise: launch/shopper-ids
test.each([{}, { customId: 7 }, { userId: ' ' }, { customId: 'ada', formerly: 'guest-1' }])(
  'a shopper %j of authorize is the merchant’s mistake',
  async (shopper) => {
    const errors: unknown[] = []
    const shop = companionOf(client, {
      tokens,
      authorize: () => shopper as never,
      onError: (error) => errors.push(error),
    })
    expect((await shop.fetch(post('/token', {}))).status).toBe(500)
    expect(errors).toMatchObject([{ name: 'InvalidInputError' }])
  },
)

const unstorable = [
  ['NUL', 'gold\0'],
  ['half of a UTF-16 pair', 'gold\ud83d'],
] as const

describe.each(unstorable)('%s', (_, text) => {
  test('unstorable text in a field of the page or of a link is refused, and no purchase is created', async () => {
    const store = memoryStore()
    const shop = companionOf(client, { store, tokens })
    for (const request of [
      post('/token', { params: { product_id: text } }, 'ada'),
      post('/token', { params: { redirect_url: `https://shop.example/${text}` } }, 'ada'),
    ]) {
      expect((await shop.fetch(request)).status).toBe(400)
    }
    if (text.includes('\0')) {
      const link = `/launch?product_id=${encodeURIComponent(text)}`
      expect((await shop.fetch(get(link, 'ada', navigation('none')))).status).toBe(400)
    }
    expect(await store.purchases.unsettled({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10 })).toEqual([])
  })

  test.each(['params', 'reference'])('unstorable %s of a decision is the merchant’s mistake', (field) => {
    const params = { product_id: 'gold', quote: 'USD', quote_amount: '1' }
    const wrong = field === 'params' ? { params: { ...params, theme: text } } : { params, reference: text }
    expect(() => checkDecision(wrong, 'https://shop.example')).toThrow(field)
  })

  test.each(['customId', 'userId', 'formerly'])('unstorable %s is the merchant’s mistake', async (field) => {
    const errors: unknown[] = []
    const ids = { customId: 'ada', [field]: field === 'formerly' ? [text] : text }
    const shop = companionOf(client, {
      tokens,
      authorize: () => ids,
      onError: (error) => errors.push(error),
    })
    expect((await shop.fetch(post('/token', {}))).status).toBe(500)
    expect(errors).toMatchObject([{ name: 'InvalidInputError' }])
  })
})

// Promise: launch/server-decides
/** What is kept of a purchase that begins, and what the widget is told of it. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CreatePurchase, Purchase, PurchaseSurface } from '../../src/index.ts'
import { type Asked, type BeginOptions, type Begun, createBegin } from '../../src/purchase/begin.ts'
import { isParamName } from '../../src/purchase/fields.ts'

const url = 'https://shop.example/api/purchase-widget'
const begunAt = Date.UTC(2026, 0, 1)
const priced = { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' }
const asked: Asked = {
  id: null,
  preload: false,
  mayChooseAmount: true,
  request: new Request(`${url}/token`),
  shopper: { customId: 'ada', userId: 'U1' },
  formerly: ['guest-1'],
  params: { email: 'ada@example.com', quote_amount: '0.01', locale: 'de' },
  returnUrl: 'https://shop.example/their-thanks',
  failReturnUrl: 'https://shop.example/their-sorry',
  surface: 'popup',
  openedBy: 'shopper',
  redirectPage: 'new',
  hostOrigin: 'https://shop.example',
  begunOn: 'https://shop.example/basket',
  url,
}
const decides: CreatePurchase = () => ({
  params: priced,
  open: ['email'],
  returnUrl: '/thanks',
  reference: 'basket-7',
  validFor: 60_000,
})

/** Begins it, and gives what the widget is told, what was kept and what went wrong. */
async function begin(
  changes: Partial<Asked> = {},
  options: Partial<BeginOptions> = {},
): Promise<Begun & { row: Purchase | undefined; errors: unknown[] }> {
  const kept: Purchase[] = []
  const errors: unknown[] = []
  const starts = createBegin({
    createPurchase: decides,
    carrier: 'return_url',
    rows: { begin: async (purchase) => void kept.push(purchase) },
    onError: (error) => void errors.push(error),
    now: () => begunAt,
    ...options,
  })
  return { ...(await starts({ ...asked, ...changes })), row: kept[0], errors }
}

describe('where the server decides', () => {
  test('its decision is kept, with who asked, where and when', async () => {
    const { row, purchaseId, errors } = await begin()
    expect(purchaseId).toMatch(/^[\w-]{22}$/)
    expect(row).toEqual({
      id: purchaseId,
      shopper: { customId: 'ada', userId: 'U1' },
      formerly: ['guest-1'],
      params: priced,
      open: ['email'],
      // The e-mail address, too, was chosen: it is not kept.
      chosen: { locale: 'de' },
      preload: false,
      decidedBy: 'server',
      reference: 'basket-7',
      returnUrl: 'https://shop.example/thanks',
      failReturnUrl: null,
      surface: 'popup',
      openedBy: 'shopper',
      redirectPage: 'new',
      hostOrigin: 'https://shop.example',
      carrier: 'return_url',
      locale: 'de',
      url,
      begunAt,
      validUntil: begunAt + 60_000,
    })
    expect(errors).toEqual([])
  })

  test('the widget is told what was decided, and of the page’s wishes those that are open', async () => {
    const { params, purchaseId } = await begin()
    expect(params).toEqual({
      ...priced,
      email: 'ada@example.com',
      locale: 'de',
      custom_id: 'ada',
      user_id: 'U1',
      redirect_url: `${url}/return/${purchaseId}`,
      fail_redirect_url: `${url}/return/${purchaseId}/failed`,
      redirect_page: 'new',
    })
  })

  test('createPurchase hears who asks, for what, and by which request', async () => {
    const heard: unknown[] = []
    await begin(
      {},
      {
        async createPurchase(request) {
          heard.push(request)
          return { params: priced }
        },
      },
    )
    expect(heard).toEqual([{ shopper: asked.shopper, params: asked.params, request: asked.request }])
  })

  test.each<[string, CreatePurchase]>([
    ['it throws', () => Promise.reject(new Error('sold out'))],
    ['it decides nothing', () => ({ params: {} })],
  ])('nothing is begun when %s', async (_, createPurchase) => {
    const rows = { begin: vi.fn() }
    await expect(begin({}, { createPurchase, rows })).rejects.toThrow()
    expect(rows.begin).not.toHaveBeenCalled()
  })

  test.each([
    [{ locale: 'fr' }, [], { locale: 'de' }, 'fr'],
    [{ locale: 'fr' }, ['locale'], { locale: 'de' }, 'de'],
    [{ locale: 'fr' }, ['locale'], {}, 'fr'],
    [{}, [], { locale: 'de' }, 'de'],
    [{}, [], {}, undefined],
  ])(
    'decided %j, open %j, asked for %j: the widget and our own pages speak %j',
    async (decided, open, wished, spoken) => {
      const { row, params } = await begin(
        { params: wished },
        { createPurchase: () => ({ params: { ...priced, ...decided }, open }) },
      )
      expect([row?.locale, params.locale]).toEqual([spoken ?? null, spoken])
    },
  )
})

test('where the page decides, all that it asks for is kept for a day', async () => {
  const { row, params } = await begin({}, { createPurchase: undefined })
  expect(row).toMatchObject({
    params: asked.params,
    open: [],
    decidedBy: 'page',
    reference: null,
    returnUrl: 'https://shop.example/their-thanks',
    failReturnUrl: 'https://shop.example/their-sorry',
    locale: 'de',
    validUntil: begunAt + 86_400_000,
  })
  expect(row).not.toHaveProperty('validFor')
  expect(params).toMatchObject(asked.params)
})

test.each([
  [{ customId: 'ada' }, 'return_url', 'return_url'],
  [{ customId: 'ada' }, 'custom_id', 'custom_id'],
  [{ userId: 'U1' }, 'return_url', 'custom_id'],
] as const)('an order of %j, where %s is to carry, comes back by %s', async (shopper, carrier, carries) => {
  const { row, params, purchaseId } = await begin({ shopper }, { carrier })
  expect(row?.carrier).toBe(carries)
  expect(params.custom_id).toBe(carries === 'custom_id' ? `purchase_${purchaseId}` : 'ada')
})

test.each([
  ['redirect', 'new', 'self'],
  ['modal', 'new', 'new'],
  ['modal', 'self', 'self'],
] as const)(
  'shown as %s with %s, the widget is told to return to %s',
  async (surface, redirectPage, told) => {
    const { row, params } = await begin({ surface, redirectPage })
    expect([row?.redirectPage, params.redirect_page]).toEqual([redirectPage, told])
  },
)

describe('a store that is gone stops no purchase', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('and the shop hears of it', async () => {
    const gone = new Error('gone')
    const { params, errors } = await begin({}, { rows: { begin: () => Promise.reject(gone) } })
    expect(params).toMatchObject(priced)
    expect(errors).toEqual([gone])
  })

  test('and is waited for two seconds', async () => {
    vi.useFakeTimers()
    let begun: Awaited<ReturnType<typeof begin>> | undefined
    const starting = begin({}, { rows: { begin: () => new Promise(() => {}) } }).then((result) => {
      begun = result
    })
    await vi.advanceTimersByTimeAsync(1_999)
    expect(begun).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    await starting
    expect(begun).toMatchObject({
      params: priced,
      errors: [{ message: 'The store did not answer in 2000 ms.' }],
    })
  })
})

test.each([
  [true, { quote_amount: '5', clickID: 'c' }],
  [false, { clickID: 'c' }],
])(
  'of what is open the page may choose an amount: %s, and nothing of a person is kept',
  async (mayChooseAmount, chosen) => {
    const { row, params } = await begin(
      {
        mayChooseAmount,
        params: { quote_amount: '5', clickID: 'c', email: 'ada@example.com', theme: 'dark' },
      },
      {
        createPurchase: () => ({
          params: { product_id: 'card', quote: 'USD' },
          open: ['quote_amount', 'clickID', 'email'],
        }),
      },
    )
    expect(row?.chosen).toEqual(chosen)
    expect(params).toMatchObject({ ...chosen, email: 'ada@example.com' })
    expect(params).not.toHaveProperty('theme')
  },
)

test.each<[PurchaseSurface, string | undefined, string | undefined, string | null]>([
  ['redirect', '/thanks', undefined, '/basket'],
  ['launch', '/thanks', undefined, '/basket'],
  ['launch', '/basket', undefined, '/'],
  ['popup', '/thanks', undefined, null],
  ['redirect', undefined, undefined, null],
  ['redirect', '/thanks', '/sorry', '/sorry'],
])(
  'shown as %s, and leading to %s or %s, a purchase that fails leads from the basket to %s',
  async (surface, returnUrl, failReturnUrl, path) => {
    const { row } = await begin(
      { surface },
      {
        createPurchase: () => ({
          params: priced,
          ...(returnUrl === undefined ? {} : { returnUrl }),
          ...(failReturnUrl === undefined ? {} : { failReturnUrl }),
        }),
      },
    )
    expect(row?.failReturnUrl).toBe(path === null ? null : `https://shop.example${path}`)
  },
)

test.each([
  ['a', true],
  ['Product-1.b_c', true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['1a', false],
  ['a b', false],
  ['', false],
])('a parameter may be called %j: %s', (name, isOne) => {
  expect(isParamName(name)).toBe(isOne)
})

test('each purchase has an id of its own', async () => {
  const ids = new Set<string>()
  for (let begun = 0; begun < 512; begun++) ids.add((await begin()).purchaseId)
  expect(ids.size).toBe(512)
})

// Promise: match/parts
/** What purchases are made of, each for itself: addresses that name them, whose they are, what a page is told, and when a renewal is one. */
import { describe, expect, test } from 'vitest'
import { createPurchaseClient, type Subscription } from '../src/index.ts'
import {
  buildWidgetUrl,
  isReturnAddress,
  merchantReturn,
  readReturn,
  returnAddress,
} from '../src/purchase/carrier.ts'
import { idsOf, isTheirOrder, isTheirs, paramsOf } from '../src/purchase/shopper.ts'
import { chargesOf, isDue } from '../src/purchase/subscriptions.ts'
import { summarise } from '../src/purchase/summary.ts'
import { createTickets, type Ticket } from '../src/purchase/ticket.ts'
import { begunAt, purchaseOf } from './support/purchases.ts'
import { settings } from './support/settings.ts'
import { rowOf } from './support/status.ts'

const id = 'AbCdEfGhIjKlMnOpQrSt_-'
const url = 'https://shop.example/api/purchase-widget'

describe('a return address', () => {
  test.each<[string, object | null]>([
    [`${url}/return/${id}`, { id, outcome: 'success' }],
    [`${url}/return/${id}/failed`, { id, outcome: 'failure' }],
    [`${url}/return/${id}/failed?x=1`, { id, outcome: 'failure' }],
    [`${url}/return/${id}/failedx`, { id, outcome: 'success' }],
    [`${url}/return/${id}/failed-x`, { id, outcome: 'success' }],
    [`${url}/return/${id}&order_id=o`, { id, outcome: 'success' }],
    [`${url}/return/${id}/`, { id, outcome: 'success' }],
    [`/return/${id}`, { id, outcome: 'success' }],
    [`${url}/return/${id}x`, null],
    [`${url}/return/${id}-`, null],
    [`${url}/return/${id.slice(1)}`, null],
    [`${url}/return/`, null],
    [`${url}/returned/${id}`, null],
    ['', null],
  ])('%s names %j', (address, named) => {
    expect(readReturn(address)).toEqual(named)
  })

  test.each([
    ['', true],
    ['?order_id=o', true],
    ['&order_id=o', true],
    ['#top', true],
    ['/', true],
    ['/failed', false],
    ['/failed?x', false],
    ['x', false],
    ['-', false],
    ['_', false],
  ])('with %j behind it is the one that was given: %s', (added, isIt) => {
    const given = returnAddress(url, id, 'success')
    expect(isReturnAddress(given + added, given)).toBe(isIt)
    expect(isReturnAddress(`x${given}${added}`, given)).toBe(false)
  })

  test('says how the purchase ended', () => {
    expect(returnAddress(url, id, 'success')).toBe(`${url}/return/${id}`)
    expect(returnAddress(url, id, 'failure')).toBe(`${url}/return/${id}/failed`)
  })

  test('leads on to the merchant’s, with the purchase named', () => {
    const purchase = purchaseOf({
      returnUrl: 'https://shop.example/thanks?a=b',
      failReturnUrl: 'com.example.shop:/sorry',
    })
    const named = `purchase=${purchase.id}`
    expect(merchantReturn(purchase, 'success')).toBe(`https://shop.example/thanks?a=b&${named}`)
    expect(merchantReturn(purchase, 'failure')).toBe(`com.example.shop:/sorry?${named}`)
    expect(merchantReturn(purchaseOf({ returnUrl: null }), 'success')).toBeNull()
  })

  // A shop that reads its query without form decoding would find another value.
  test.each([
    [
      'https://shop.example/thanks?q=a+b&r=a%20b&s=a%2Bb&flag',
      'https://shop.example/thanks?q=a+b&r=a%20b&s=a%2Bb&flag&',
    ],
    ['https://shop.example/thanks?purchase=old&a=1', 'https://shop.example/thanks?a=1&'],
    ['https://shop.example/thanks?purchase&repurchase=1#top', 'https://shop.example/thanks?repurchase=1&'],
    ['HTTPS://Shop.Example:443/Thanks', 'https://shop.example/Thanks?'],
    ['https://shop.example:8443/', 'https://shop.example:8443/?'],
    ['com.example.shop:/return', 'com.example.shop:/return?'],
  ])('%s is kept as it was written, and the purchase named once', (returnUrl, before) => {
    const purchase = purchaseOf({ returnUrl })
    const hash = returnUrl.includes('#') ? '#top' : ''
    expect(merchantReturn(purchase, 'success')).toBe(`${before}purchase=${purchase.id}${hash}`)
  })
})

describe('whose a purchase and an order are', () => {
  const ada = { shopper: { customId: 'ada', userId: 'U1' }, formerly: ['guest-1', 'guest-2'] }
  const byUser = { shopper: { userId: 'U1' }, formerly: [] }

  test.each([
    ['by the shop’s id', ada, { customId: 'ada' }, true],
    ['whatever the other id', ada, { customId: 'ada', userId: 'U2' }, true],
    ['by an id from before', ada, { customId: 'guest-1' }, true],
    ['not by the service’s id where there is one of the shop’s', ada, { userId: 'U1' }, false],
    ['another’s', ada, { customId: 'bob' }, false],
    ['by the service’s id', byUser, { userId: 'U1' }, true],
    ['another’s at the service', byUser, { userId: 'U2' }, false],
    ['an id of another kind', byUser, { customId: 'U1' }, false],
  ])('a purchase: %s', (_, caller, shopper, isIt) => {
    expect(isTheirs(caller, { shopper })).toBe(isIt)
  })

  test.each([
    [ada, { custom_id: 'ada' }, true],
    [ada, { custom_id: 'guest-2', user_id: 'U9' }, true],
    [ada, { custom_id: 'bob', user_id: 'U1' }, false],
    [ada, { user_id: 'U1' }, false],
    [ada, {}, false],
    [byUser, { custom_id: 'x', user_id: 'U1' }, true],
    [byUser, { custom_id: 'U1', user_id: 'U2' }, false],
    [byUser, {}, false],
  ])('an order: of %j, %j, %s', (caller, order, isIt) => {
    expect(isTheirOrder(caller, order)).toBe(isIt)
  })

  test('five ids are asked for, each once: the present one, then the latest from before', () => {
    const formerly = ['1', '2', '3', '4', '5', '6']
    expect(idsOf({ shopper: { customId: 'now' }, formerly })).toEqual(['now', '6', '5', '4', '3'])
    expect(idsOf(byUser)).toEqual(['U1'])
    const repeated = ['1', '2', 'now', '3', '3', 'now', '3']
    expect(idsOf({ shopper: { customId: 'now' }, formerly: repeated })).toEqual(['now', '3', '2', '1'])
  })

  test('the widget is told the ids that there are', () => {
    expect(paramsOf({ customId: 'ada', userId: 'U1' })).toEqual({ custom_id: 'ada', user_id: 'U1' })
    expect(paramsOf({ customId: 'ada' })).toStrictEqual({ custom_id: 'ada' })
    expect(paramsOf({ userId: 'U1' })).toStrictEqual({ user_id: 'U1' })
  })
})

describe('a renewal', () => {
  const at = (date: string): Date => new Date(`${date.includes('T') ? date : `${date}T00:00:00`}Z`)
  const subscription = (fields: Partial<Subscription>): Subscription => ({ raw: {}, ...fields })
  const DAY = 86_400_000

  /** Of a purchase that was paid when the subscription started. */
  function chargesShown(given: Subscription): number {
    const start = at('2026-01-01').getTime()
    const order = { id: 'o', type: 'order_complete', state: 'matched', summary: '{}' } as const
    const known = rowOf([order], 'o', { begunAt: start, validUntil: start + DAY })
    const found = { shown: [given], interval_time: given.interval_time }
    return chargesOf(known, found, start).count
  }

  test.each<[string | undefined, string, number]>([
    ['month', '2026-01-28', 0],
    ['month', '2026-01-29', 1],
    ['1 MONTH', '2026-03-01', 2],
    [undefined, '2026-01-29', 1],
    ['whenever', '2026-02-26', 2],
    ['yearly', '2026-12-31', 0],
    ['yearly', '2027-01-01', 1],
    ['Annual', '2028-01-01', 2],
    ['weekly', '2026-01-08', 1],
    ['weekly', '2026-01-07T22:59:59', 0],
    ['weekly', '2026-01-07T23:00:00', 1],
    ['7 days', '2026-01-03', 2],
    ['daily', '2026-01-03', 2],
    ['month', '2026-01-01', 0],
  ])('of an interval %j, last paid on %s, has been charged %i times', (interval_time, paid, charges) => {
    const dates = { start_date: at('2026-01-01'), last_paid_date: at(paid) }
    const given = subscription({ ...dates, ...(interval_time === undefined ? {} : { interval_time }) })
    expect(chargesShown(given)).toBe(charges)
  })

  describe('of purchases of one product', () => {
    const daysLater = (days: number): Date => new Date(begunAt + days * DAY)
    /** Paid on the day on which it was begun, by so many orders. */
    const paid = (day: number, orders = 1) =>
      rowOf(
        Array.from({ length: orders }, (_, at) => ({
          id: `${day}-${at}`,
          type: 'order_complete',
          state: at === 0 ? ('matched' as const) : ('duplicate' as const),
          summary: '{}',
        })),
        `${day}-0`,
        { begunAt: daysLater(day).getTime(), validUntil: daysLater(day + 1).getTime() },
      )
    const started = (day: number, charges: number): Subscription =>
      subscription({ start_date: daysLater(day), last_paid_date: daysLater(day + charges * 31) })

    test.each<[string, ReturnType<typeof paid>[], Subscription[], number[]]>([
      ['each has its own dates', [paid(0), paid(40)], [started(40, 1), started(0, 0)], [0, 1]],
      ['a day off, a date is still its own', [paid(10)], [started(9, 1)], [1]],
      ['one that is not shown has its age', [paid(0), paid(40)], [started(40, 0)], [3, 0]],
      [
        'of two begun at once one is shown, which may be either’s',
        [paid(0), paid(0.5)],
        [started(0.5, 0)],
        [0, 0],
      ],
      ['another that started elsewhen says nothing', [paid(40)], [started(0, 1)], [2]],
      ['without dates it has its age', [paid(40)], [subscription({})], [2]],
      ['paid twice, both are shown', [paid(40, 2)], [started(40, 0), started(40, 1)], [1]],
      ['paid twice, one is hidden', [paid(40, 2)], [started(40, 0)], [2]],
    ])('%s', (_, purchases, shown, expected) => {
      // 100 days later: three intervals of 28 days, and two after 60.
      const found = { shown, interval_time: 'monthly' }
      const at = daysLater(100).getTime()
      expect(purchases.map((purchase) => chargesOf(purchase, found, at).count)).toEqual(expected)
    })

    test('an age may be an hour short, as clocks differ', () => {
      const known = paid(0)
      const found = { shown: [], interval_time: 'daily' }
      const after = (days: number, ms = 0): number =>
        chargesOf(known, found, daysLater(days).getTime() + ms).count
      expect([after(1, -3_600_001), after(1, -3_600_000), after(1)]).toEqual([0, 1, 1])
    })
  })

  describe('that no webhook told of is looked for', () => {
    const HOUR = 3_600_000
    const paid = at('2026-02-01')
    const active = { start_date: paid, last_paid_date: paid, interval_time: 'monthly', next_paid: true }
    const hoursLater = (hours: number): Date => new Date(paid.getTime() + hours * HOUR)

    test.each<[string, Subscription[], number, number | null]>([
      ['two hours after its date', [subscription({ ...active, next_paid_date: hoursLater(700) })], 1, 702],
      [
        'again a day later, while the date has passed',
        [subscription({ ...active, next_paid_date: hoursLater(700) })],
        702,
        726,
      ],
      ['each day, while no date is known', [subscription(active)], 5, 29],
      ['each day, while the subscription is not shown', [], 5, 29],
      [
        'until a month after the subscription expires',
        [subscription({ ...active, next_paid_date: hoursLater(10), expire_date: hoursLater(20) })],
        20 + 720,
        20 + 744,
      ],
      [
        'no more after that',
        [subscription({ ...active, next_paid_date: hoursLater(10), expire_date: hoursLater(20) })],
        20 + 721,
        null,
      ],
      [
        'until its end where it does not renew',
        [
          subscription({
            ...active,
            next_paid: false,
            next_paid_date: hoursLater(10),
            expire_date: hoursLater(20),
          }),
        ],
        20,
        44,
      ],
      [
        'no more after that end',
        [
          subscription({
            ...active,
            next_paid: false,
            next_paid_date: hoursLater(10),
            expire_date: hoursLater(20),
          }),
        ],
        21,
        null,
      ],
    ])('%s', (_, shown, hours, expected) => {
      const order = { id: 'o', type: 'order_complete', state: 'matched', summary: '{}' } as const
      const known = rowOf([order], 'o', { begunAt: paid.getTime(), validUntil: paid.getTime() + DAY })
      const found = { shown, interval_time: 'monthly' }
      const charges = chargesOf(known, found, hoursLater(hours).getTime())
      expect(charges.checkAt).toBe(expected === null ? null : hoursLater(expected).getTime())
    })
  })

  test('is due for an hour before and after its date', () => {
    const due = at('2026-02-01')
    const isDueAfter = (ms: number): boolean =>
      isDue(subscription({ next_paid_date: due }), due.getTime() + ms)
    expect([-3_600_001, -3_600_000, 0, 3_600_000, 3_600_001].map(isDueAfter)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
    expect(isDue(subscription({}), due.getTime())).toBe(false)
  })
})

test('a page is told nothing of a person, and only addresses of the merchant’s', () => {
  const both = {
    id: 'o1',
    type: 'order_failed',
    custom_id: 'ada',
    product_id: 'gold',
    base: 'ETH',
    base_amount: '1',
    quote: 'USD',
    quote_amount: '2',
    redirect_page: 'new',
    redirect_url: 'https://shop.example/thanks',
  }
  const order = {
    ...both,
    fail_reason: '4004',
    user_id: 'U1',
    email: 'ada@example.com',
    full_name: 'Ada',
    fail_redirect_url: 'https://evil.example/',
    raw: {},
  }
  const told = { ...both, decline: expect.objectContaining({ code: '4004' }) }
  const isOurs = (address: string): boolean => !address.includes('evil')
  expect(summarise(order, isOurs)).toEqual(told)
  for (const fail_redirect_url of ['javascript:alert(1)', 'http://shop.example/', 'nowhere', ''])
    expect(summarise({ ...order, fail_redirect_url }, isOurs)).toEqual(told)
  const bare = { id: 'o2', type: 'payment_started' }
  expect(summarise({ ...bare, raw: {} }, isOurs)).toStrictEqual({ ...bare, decline: null })
})

// Promise: launch/ticket
test('a ticket is good for one minute, at one companion, and as it was given', async () => {
  let now = 1_000_000
  const tickets = createTickets({ client: createPurchaseClient(settings), now: () => now })
  const issued = {
    purchaseId: id,
    params: { product_id: 'gold', custom_id: 'ada' },
    origin: 'https://shop.example',
    shopper: { customId: 'ada', userId: 'U1' },
  }
  const ticket = await tickets.issue(url, issued)
  expect(await tickets.read(url, ticket)).toEqual({ ticket: issued, hasEnded: false })
  const ofApp = { purchaseId: id, params: {}, origin: null, shopper: { userId: 'U1' } }
  expect(await tickets.read(url, await tickets.issue(url, ofApp))).toEqual({ ticket: ofApp, hasEnded: false })
  expect(await tickets.read(`${url}/other`, ticket)).toBeNull()
  const others = createTickets({
    client: createPurchaseClient({ ...settings, secretKey: 'another' }),
    now: () => now,
  })
  expect(await others.read(url, ticket)).toBeNull()
  const [header = '', signed = '', signature = ''] = ticket.split('.')
  const unsigned = btoa('{"alg":"none","typ":"JWT"}').replaceAll('=', '')
  for (const changed of [
    '',
    '..',
    `${header}.${signed}`,
    `${header}.${signed}.`,
    `${unsigned}.${signed}.`,
    `${header}..${signature}`,
    `${header}.x${signed}.${signature}`,
    `${header}.${signed}.${signed}`,
    '%.%.%',
  ])
    expect(await tickets.read(url, changed), changed).toBeNull()
  expect(await tickets.read(url, `${'x'.repeat(32_768)}.x`)).toBeNull()
  now += 59_999
  expect((await tickets.read(url, ticket))?.hasEnded).toBe(false)
  now += 1
  expect((await tickets.read(url, ticket))?.hasEnded).toBe(true)
})

test('a ticket is read up to a length that addresses may have, and no longer', async () => {
  const tickets = createTickets({ client: createPurchaseClient(settings), now: () => 1_000_000 })
  const ticketWith = (length: number): Ticket => ({
    purchaseId: id,
    params: { text: 'x'.repeat(length) },
    origin: null,
    shopper: { userId: 'U1' },
  })
  for (const [length, isRead] of [
    [24_000, true],
    [25_000, false],
  ] as const) {
    const issued = ticketWith(length)
    const read = await tickets.read(url, await tickets.issue(url, issued))
    expect(read).toEqual(isRead ? { ticket: issued, hasEnded: false } : null)
  }
})

// Promise: link/one-token
test('the widget’s address has one token, which no parameter replaces (U10)', () => {
  const params = { product_id: 'gold 100', accessToken: 'theirs', ACCESSTOKEN: 'theirs' }
  const address = new URL(buildWidgetUrl('https://widget.example/base', 'ours', params))
  expect(address.origin + address.pathname).toBe('https://widget.example/base/widget/')
  expect([...address.searchParams]).toEqual([
    ['product_id', 'gold 100'],
    ['accessToken', 'ours'],
  ])
})

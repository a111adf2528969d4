// Promise: client/answers
/** Every shape of an answer that docs/assumptions.md lists, and similar ones that are invalid. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  readAccessToken,
  readCreatedUser,
  readErrorMessage,
  readExpiry,
  readOrder,
  readOrders,
  readRefusedBy,
  readSubscriptions,
  readUser,
  reportsError,
} from '../../src/client/answers.ts'
import { DECLINE_CODES, declineOf } from '../../src/client/declines.ts'

describe('an access token (U1)', () => {
  test.each([
    ['t'],
    [{ accessToken: 't' }],
    [{ access_token: 't' }],
    [{ token: 't' }],
    [{ data: { token: 't' } }],
    [{ data: { data: { accessToken: 't' } } }],
    [{ accessToken: 1, access_token: ' ', token: 't' }],
    [{ accessToken: 't', data: { accessToken: 'another' } }],
  ])('an access token is read from %j', (body) => {
    expect(readAccessToken(body)).toEqual({ accessToken: 't' })
  })

  test.each([
    [''],
    [' '],
    [7],
    [null],
    [['t']],
    [{}],
    [{ key: 't' }],
    [{ data: 't' }],
    [{ data: { data: { data: { token: 't' } } } }],
  ])('an access token is not in %j', (body) => {
    expect(() => readAccessToken(body)).toThrow('expected an access token, got ')
  })
})

describe('an expiry (U2, U5)', () => {
  const date = '2026-11-23T10:20:30.000Z'

  test.each([
    [{ expire_date: date }],
    [{ expireDate: date }],
    [{ expires_at: date }],
    [{ expiresAt: date }],
    [{ data: { expire_date: date } }],
    [{ data: { data: { expires_at: date } } }],
    [date],
    [{ data: date }],
    [{ expire_date: 'soon', data: { expire_date: date } }],
  ])('an expiry is read from %j', (body) => {
    expect(readExpiry(body)).toEqual({ expiresAt: new Date(date) })
  })

  test.each([
    null,
    'infinite',
    { expire_date: null },
    { expires_at: 'infinite' },
    { data: { expiresAt: null } },
  ])('a token with %j never expires', (body) => {
    expect(readExpiry(body)).toEqual({ expiresAt: null })
  })

  test.each([
    ['2026-11-23', '2026-11-23T00:00:00.000Z'],
    ['2026-11-23T10:20', '2026-11-23T10:20:00.000Z'],
    ['2026-11-23 10:20:30', '2026-11-23T10:20:30.000Z'],
    ['2026-11-23T10:20:30.25', '2026-11-23T10:20:30.250Z'],
    ['2026-11-23T10:20:30Z', '2026-11-23T10:20:30.000Z'],
    ['2026-11-23T10:20:30+02:00', '2026-11-23T08:20:30.000Z'],
    ['2026-11-23 10:20:30-0130', '2026-11-23T11:50:30.000Z'],
    [1_795_428_000, '2026-11-23T10:00:00.000Z'],
    [1_795_428_000_000, '2026-11-23T10:00:00.000Z'],
    ['1795428000', '2026-11-23T10:00:00.000Z'],
    ['1795428000000', '2026-11-23T10:00:00.000Z'],
    ['100000000', '1973-03-03T09:46:40.000Z'],
    [99_999_999_999, '5138-11-16T09:46:39.000Z'],
    [100_000_000_000, '1973-03-03T09:46:40.000Z'],
  ])('the expiry is read from %j', (written, expected) => {
    expect(readExpiry({ expire_date: written }).expiresAt?.toISOString()).toBe(expected)
  })

  test.each([
    'soon',
    '',
    '2026-13-45',
    '2026-11-23T25:61',
    'x2026-11-23',
    '2026-11-23x',
    'Mon 2026-11-23',
    '2026-11-23 (perhaps)',
    '26-11-23',
    '2026-11-23T10',
    '2026-11-23T10:20:30+2',
    '12345678',
    '12345678901234',
    'x1795428000',
    '1795428000x',
    // `new Date()` would accept both.
    '0002026-11-23',
    '2026-11-23(x)',
    0,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    {},
    ['2026-11-23'],
    undefined,
  ])('no expiry is read from %j', (written) => {
    expect(() => readExpiry({ expire_date: written })).toThrow(
      'expected an expiry date, got an object of 1 fields',
    )
  })
})

test('a date without a zone is in UTC, whatever the local time zone', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(new Date('2026-11-23T10:20:30').toISOString()).toBe('2026-11-23T01:20:30.000Z')
  for (const [written, expected] of [
    ['2026-11-23T10:20:30', '2026-11-23T10:20:30.000Z'],
    ['2026-11-23 10:20', '2026-11-23T10:20:00.000Z'],
    ['2026-11-23', '2026-11-23T00:00:00.000Z'],
    ['2026-11-23T10:20:30+09:00', '2026-11-23T01:20:30.000Z'],
  ])
    expect(readExpiry(written).expiresAt?.toISOString()).toBe(expected)
})

describe('orders (U3)', () => {
  const order = { id: 'o1', type: 'order_complete', quote: 'USD', city: '', hash: 5, partner_data: { a: 1 } }
  const read = { id: 'o1', type: 'order_complete', quote: 'USD', partner_data: { a: 1 }, raw: order }

  test.each([[[order]], [{ orders: [order] }], [{ data: [order] }], [{ data: { list: [order], count: 1 } }]])(
    'orders are read from %j',
    (body) => {
      expect(readOrders(body)).toEqual([read])
    },
  )

  test('a list of orders may be empty', () => {
    expect(readOrders([])).toEqual([])
    expect(readOrders({ orders: [] })).toEqual([])
  })

  test('partner_data is dropped unless it is an object', () => {
    for (const partner_data of ['x', null, ['x']]) {
      expect(readOrders([{ id: 'o1', partner_data }])).toEqual([
        { id: 'o1', raw: { id: 'o1', partner_data } },
      ])
    }
  })

  test.each([[{ one: [order], other: [] }], [{}], ['orders'], [null], [{ data: 7 }]])(
    'orders are not in %j',
    (body) => {
      expect(() => readOrders(body)).toThrow('expected a list of orders, got ')
    },
  )

  test.each([[[null]], [['o1']], [[[order]]]])('%j is not a list of orders', (body) => {
    expect(() => readOrders(body)).toThrow('expected an order, got ')
  })

  test.each([[order], [{ data: order }], [{ data: { data: order } }], [{ id: 'x', data: order }]])(
    'one order is read from %j',
    (body) => {
      expect(readOrder(body)).toEqual(read)
    },
  )

  test.each([[{ id: 'o1' }], [{ type: 'order_complete' }], [{ id: ' ', type: 'x' }], [[order]], [null]])(
    '%j is not an order',
    (body) => {
      expect(() => readOrder(body)).toThrow('expected an order with id and type, got ')
    },
  )
})

describe('subscriptions (U4)', () => {
  const subscription = {
    user_id: 'u1',
    product_id: 'club',
    start_date: '2026-11-23',
    expire_date: 'some day',
    status: 1,
    failed_to_paid: false,
    next_paid: true,
  }
  const { expire_date: _, ...rest } = subscription
  const read = { ...rest, start_date: new Date('2026-11-23'), raw: subscription }

  test.each([
    [subscription],
    [{ data: subscription }],
    [[subscription]],
    [{ data: [subscription] }],
    [{ subscriptions: [subscription] }],
  ])('subscriptions are read from %j', (body) => {
    expect(readSubscriptions(body)).toStrictEqual([read])
  })

  test.each([{ product_id: 'club' }, { user_id: 'u1' }])('one subscription is recognised by %j', (body) => {
    expect(readSubscriptions(body)).toEqual([{ ...body, raw: body }])
  })

  test('status, failure and renewal are dropped if they have another type', () => {
    const raw = { user_id: 'u1', status: '1', failed_to_paid: 'false', next_paid: 1 }
    expect(readSubscriptions(raw)).toEqual([{ user_id: 'u1', raw }])
  })

  test.each([[null], [{ error: false, message: '', data: null }], [{ data: { data: null } }]])(
    '%j means that there is no subscription',
    (body) => {
      expect(readSubscriptions(body)).toEqual([])
    },
  )

  test.each([[{}], ['x'], [{ data: 'x' }]])('subscriptions are not in %j', (body) => {
    expect(() => readSubscriptions(body)).toThrow('expected a subscription, got ')
  })

  test('subscriptions must be objects', () => {
    expect(() => readSubscriptions(['x'])).toThrow('expected a subscription, got string')
  })
})

describe('users', () => {
  test('a new user has both ids', () => {
    const ids = { id: '1', user_id: 'u1' }
    expect(readCreatedUser({ ...ids, other: 1 })).toEqual(ids)
    expect(readCreatedUser({ data: { data: ids } })).toEqual(ids)
    for (const body of [{ id: '1' }, { user_id: 'u1' }, { id: 1, user_id: 'u1' }, null])
      expect(() => readCreatedUser(body)).toThrow('expected id and user_id of the new user, got ')
  })

  test('fields of another type are left out', () => {
    const raw = {
      user_id: 'u1',
      country: 7,
      limits: { crypto_remaining: '1.00', crypto_spending: 2 },
      linked_payment_methods: [
        { method: 'bank_card', cards: [{ brand: 'visa', last_digits: 4242 }, 'card', null] },
        { method: 'wallet', cards: 'none' },
        { method: ' ', cards: [] },
        'cash',
        null,
      ],
    }
    const linked_payment_methods = [
      { method: 'bank_card', cards: [{ brand: 'visa' }] },
      { method: 'wallet', cards: [] },
    ]
    const read = { user_id: 'u1', limits: { crypto_remaining: '1.00' }, linked_payment_methods, raw }
    expect(readUser(raw)).toEqual(read)
    expect(readUser({ id: 'x', data: { data: raw } })).toEqual(read)
  })

  test('all text fields of a user are read', () => {
    const texts = {
      user_id: 'u1',
      country: 'USA',
      created_at: '2026-11-23',
      fkyc_status: 'not initiated',
      lkyc_status: 'success',
      phone: '+1*1',
      phone_country: 'US',
    }
    expect(readUser(texts)).toEqual({ ...texts, limits: {}, linked_payment_methods: [], raw: texts })
  })

  test.each([undefined, null, 'x', ['1.00']])('limits and methods may be %j', (value) => {
    const raw = { user_id: 'u1', limits: value, linked_payment_methods: value === undefined ? {} : 'x' }
    expect(readUser(raw)).toEqual({ user_id: 'u1', limits: {}, linked_payment_methods: [], raw })
  })

  test.each([[{}], [{ user_id: ' ' }], [[]], ['u1']])('a user is not in %j', (body) => {
    expect(() => readUser(body)).toThrow('expected a user with user_id, got ')
  })
})

describe('errors (U6)', () => {
  test.each<[unknown, boolean]>([
    [{ error: true, message: 'No.' }, true],
    [{ data: { error: true } }, true],
    [{ data: { data: { error: true } } }, true],
    [{ message: 'Hello.' }, false],
    [{ error: 'true' }, false],
    [{ error: false }, false],
    ['error', false],
  ])('%j reports an error: %j', (body, isError) => {
    expect(reportsError(body)).toBe(isError)
  })

  test.each<[unknown, string | null]>([
    [{ message: 'one', error: 'two' }, 'one'],
    [{ error: 'two' }, 'two'],
    [{ error: { message: 'three' } }, 'three'],
    [{ error: true, data: { message: 'No.' } }, 'No.'],
    [{ message: ' ', error: { message: 3 }, data: { message: 'four' } }, 'four'],
    [{ error: ['five'] }, null],
    [{}, null],
    [undefined, null],
  ])('the message of %j is %j', (body, message) => {
    expect(readErrorMessage(body)).toBe(message)
  })

  test.each<[string | null, unknown, string]>([
    ['{"error":true}', { error: true }, 'service'],
    ['{"error":{"message":"No."}}', { error: { message: 'No.' } }, 'unclear'],
    ['No.', undefined, 'unclear'],
    ['', undefined, 'unclear'],
    [null, undefined, 'other'],
    ['<html>', undefined, 'other'],
    ['  \n<html>', undefined, 'other'],
    ['{"status":404}', { status: 404 }, 'unclear'],
    ['"No."', 'No.', 'unclear'],
  ])('%j is refused by: %s', (text, body, refusedBy) => {
    expect(readRefusedBy(text, body)).toBe(refusedBy)
  })
})

test('an answer of unknown shape is described by its type alone', () => {
  const described = (body: unknown): string => {
    try {
      return `${readOrder(body)}`
    } catch (error) {
      return (error as Error).message.replace('expected an order with id and type, got ', '')
    }
  }
  expect(described([1, 2])).toBe('an array of 2.')
  expect(described(null)).toBe('null.')
  expect(described('secret')).toBe('string.')
  expect(described({ secret: { key: 1 }, other: null })).toBe('an object of 2 fields.')
})

test('a decline is the first code that the interface lists, wherever it occurs (U7)', () => {
  const codeOf = (raw: Record<string, unknown>, fail_reason?: string): string | undefined =>
    declineOf({ raw, ...(fail_reason === undefined ? {} : { fail_reason }) })?.code
  expect(codeOf({}, '4004')).toBe('4004')
  expect(codeOf({}, 'Declined (4009, then 4012).')).toBe('4012')
  expect(codeOf({ code: 4005 })).toBe('4005')
  expect(codeOf({ error_code: '4013' })).toBe('4013')
  expect(codeOf({ code: '4001', error_code: '4002' }, 'no code')).toBe('4001')
  expect(codeOf({ code: '4001' }, '4003')).toBe('4003')
  for (const text of ['40041', '14004', '4020', '4006', '', 'none']) expect(codeOf({}, text)).toBeUndefined()
  expect(codeOf({ code: null })).toBeUndefined()
})

test('each code of the interface has its reason, and the shopper’s action (7)', () => {
  const notCharged = 'The card could not be charged and the order was not completed.'
  const byIssuer = ['Payment declined by the card issuer.', 'Contact your card issuer.']
  const entries = Object.entries(DECLINE_CODES).map(([code, { reason, action }]) => [code, reason, action])
  expect(entries).toEqual([
    ['4000', notCharged, 'Try again.'],
    ['4001', 'Incorrect CVV/CVC.', 'Enter the security code again.'],
    ['4002', ...byIssuer],
    ['4003', 'Incorrect card details.', 'Enter valid card details.'],
    ['4004', 'Insufficient balance on the card.', 'Add funds and try again.'],
    ['4005', 'Card limit exceeded.', 'Use a different card.'],
    ['4010', ...byIssuer],
    ['4011', 'Card validation failed.', 'Provide a valid card.'],
    ['4012', ...byIssuer],
    ['4013', notCharged, 'Contact support.'],
  ])
})

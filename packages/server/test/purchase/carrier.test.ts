// Promise: match/parts
/** Addresses that name a purchase: created, parsed, and followed to the merchant's. And the ownership of purchases and orders. */
import { describe, expect, test } from 'vitest'
import {
  buildWidgetUrl,
  isReturnAddress,
  merchantReturn,
  readReturn,
  returnAddress,
} from '../../src/purchase/carrier.ts'
import { mayBeLinked } from '../../src/purchase/fields.ts'
import { idsOf, isTheirOrder, isTheirs, paramsOf } from '../../src/purchase/shopper.ts'
import { purchaseOf } from '../support/purchases.ts'

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
  ])('an address with %j appended is still the given one: %s', (added, isIt) => {
    const given = returnAddress(url, id, 'success')
    expect(isReturnAddress(given + added, given)).toBe(isIt)
    expect(isReturnAddress(`x${given}${added}`, given)).toBe(false)
  })

  test('a return address shows how the purchase ended', () => {
    expect(returnAddress(url, id, 'success')).toBe(`${url}/return/${id}`)
    expect(returnAddress(url, id, 'failure')).toBe(`${url}/return/${id}/failed`)
  })

  test('a return leads to the merchant’s address, with the purchase named', () => {
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
    ['https://shop.example/thanks?purchase_order=7', 'https://shop.example/thanks?purchase_order=7&'],
    ['HTTPS://Shop.Example:443/Thanks', 'https://shop.example/Thanks?'],
    ['https://shop.example:8443/', 'https://shop.example:8443/?'],
    ['com.example.shop:/return', 'com.example.shop:/return?'],
  ])('%s keeps its spelling, and the purchase is named once', (returnUrl, before) => {
    const purchase = purchaseOf({ returnUrl })
    const hash = returnUrl.includes('#') ? '#top' : ''
    expect(merchantReturn(purchase, 'success')).toBe(`${before}purchase=${purchase.id}${hash}`)
  })
})

test('a link may carry products and amounts, never a wallet, a person’s details or what is reserved', () => {
  const names = ['product_id', 'quote_amount', 'address', 'Email', 'custom_id', 'accessToken']
  expect(names.filter(mayBeLinked)).toEqual(['product_id', 'quote_amount'])
})

describe('ownership of purchases and orders', () => {
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

  test('at most five ids are looked up, each once: the present one, then the latest former ones', () => {
    const formerly = ['1', '2', '3', '4', '5', '6']
    expect(idsOf({ shopper: { customId: 'now' }, formerly })).toEqual(['now', '6', '5', '4', '3'])
    expect(idsOf(byUser)).toEqual(['U1'])
    const repeated = ['1', '2', 'now', '3', '3', 'now', '3']
    expect(idsOf({ shopper: { customId: 'now' }, formerly: repeated })).toEqual(['now', '3', '2', '1'])
  })

  test('the widget receives the shopper’s ids', () => {
    expect(paramsOf({ customId: 'ada', userId: 'U1' })).toEqual({ custom_id: 'ada', user_id: 'U1' })
    expect(paramsOf({ customId: 'ada' })).toStrictEqual({ custom_id: 'ada' })
    expect(paramsOf({ userId: 'U1' })).toStrictEqual({ user_id: 'U1' })
  })
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

// Promise: launch/server-decides
/** Valid decisions of `createPurchase`, to the character: what is sold, what is left open, and where the shopper goes afterwards. */
import { describe, expect, test } from 'vitest'
import { isInvalidInputError, type PurchaseDecision } from '../../src/index.ts'
import { checkDecision } from '../../src/purchase/begin.ts'

const url = 'https://shop.example/api/purchase-widget'
const priced = { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' }
const check = (decision: PurchaseDecision): ReturnType<typeof checkDecision> => checkDecision(decision, url)

function expectRefusal(decision: PurchaseDecision, named: string): void {
  expect(() => check(decision)).toThrow(expect.toSatisfy(isInvalidInputError))
  expect(() => check(decision)).toThrow(named)
}

test('every field of a decision is stored, and nothing else', () => {
  const decision: PurchaseDecision = {
    params: { ...priced, email: undefined, theme: 'dark' },
    open: ['address', 'locale'],
    returnUrl: '/thanks',
    failReturnUrl: '/sorry',
    reference: 'basket-7',
    validFor: 60_000,
  }
  expect(check(decision)).toEqual({
    params: { ...priced, theme: 'dark' },
    open: ['address', 'locale'],
    returnUrl: 'https://shop.example/thanks',
    failReturnUrl: 'https://shop.example/sorry',
    reference: 'basket-7',
    validFor: 60_000,
  })
  expect(check({ params: priced })).toEqual({
    params: priced,
    open: [],
    returnUrl: null,
    failReturnUrl: null,
    reference: null,
    validFor: 86_400_000,
  })
})

describe('a decision', () => {
  test.each<[PurchaseDecision]>([
    [{ params: priced }],
    [{ params: { product_id: 'btc', base: 'BTC', base_amount: '0.5' } }],
    [{ params: { product_id: 'btc', base: 'BTC', base_amount: '0.5', quote: 'USD' } }],
    [{ params: { product_id: 'card', quote: 'USD' }, open: ['quote_amount'] }],
    [{ params: {}, open: ['product_id', 'base', 'base_amount'] }],
    [{ params: priced, open: ['address', 'clickID', 'locale'] }],
    [{ params: priced, reference: '' }],
    [{ params: priced, validFor: 1 }],
    [{ params: priced, validFor: 86_400_000 }],
  ])('a decision may be %j', (decision) => {
    expect(check(decision)).toMatchObject({
      open: decision.open ?? [],
      reference: decision.reference ?? null,
    })
  })

  test.each<[PurchaseDecision, string]>([
    [{ params: {} }, 'params.product_id'],
    [{ params: { product_id: undefined, quote: 'USD', quote_amount: '1' } }, 'params.product_id'],
    [{ params: { product_id: 'gold-100' } }, 'decide params.quote and params.quote_amount, or'],
    [{ params: { product_id: 'gold-100', quote_amount: '9.99' } }, 'decide params.quote, or'],
    [{ params: { product_id: 'gold-100', quote: 'USD' } }, 'decide params.quote_amount, or'],
    [{ params: { product_id: 'gold-100', base: 'BTC' } }, 'decide params.base_amount, or'],
    [
      { params: { product_id: 'gold-100', quote: 'USD', base_amount: '1' } },
      'decide params.quote_amount, or',
    ],
    [{ params: { ...priced, quote_amount: '' } }, 'params.quote_amount must be text'],
    [{ params: { ...priced, theme: ' ' } }, 'a parameter in params must be text'],
    [{ params: { ...priced, quote_amount: '9,99' } }, 'params.quote_amount must be a decimal'],
    [{ params: { ...priced, base_amount: 'all' } }, 'params.base_amount must be a decimal'],
    [{ params: { ...priced, quote_amount: 9.99 as never } }, 'params.quote_amount must be text'],
    [{ params: { ...priced, email: { length: 1, trim: () => 'x' } as never } }, 'params.email must be text'],
    [{ params: { ...priced, custom_id: 'eve' } }, 'custom_id is not yours'],
    [{ params: { ...priced, ACCESSTOKEN: 'x' } }, 'ACCESSTOKEN is not yours'],
    [{ params: { ...priced, redirect_url: '/thanks' } }, 'redirect_url is not yours'],
    [{ params: priced, open: ['user_id'] }, 'user_id cannot be left'],
    [{ params: priced, open: ['address', 'type'] }, 'type cannot be left'],
    [{ params: priced, open: [7 as never] }, 'open must be a list'],
    [{ params: priced, open: 'address' as never }, 'open must be a list'],
    [{ params: priced, open: ['address', 'adress'] }, 'open has an unknown field'],
    [{ params: priced, open: ['toString'] }, 'open has an unknown field'],
    [{ params: priced, returnURL: '/thanks' } as never, 'an unknown field: there are only params, open,'],
    [{ params: priced, valueOf: 1 } as never, 'an unknown field'],
    [{ params: priced, reference: 7 as never }, 'reference must be'],
    [{ params: priced, validFor: 0 }, 'validFor must be'],
    [{ params: priced, validFor: -1 }, 'validFor must be'],
    [{ params: priced, validFor: 86_400_001 }, 'validFor must be'],
    [{ params: priced, validFor: Number.NaN }, 'validFor must be'],
    [{ params: priced, validFor: '60000' as never }, 'validFor must be'],
    // No store can hold half a millisecond.
    [{ params: priced, validFor: 60_000.5 }, 'validFor must be whole milliseconds'],
    [{} as never, 'return { params }'],
    [{ params: null } as never, 'return { params }'],
    [{ params: ['gold-100'] } as never, 'return { params }'],
    [{ params: 'gold-100' } as never, 'return { params }'],
    [null as never, 'return { params }'],
    [undefined as never, 'return { params }'],
    ['gold-100' as never, 'return { params }'],
  ])('a decision must not be %j', (decision, named) => {
    expectRefusal(decision, named)
  })

  test('a decision must not be a function, whatever its properties', () => {
    expectRefusal(
      Object.assign(() => {}, { params: priced }),
      'return { params }',
    )
  })

  test.each<[string, (length: number) => Omit<PurchaseDecision, 'params'>, number]>([
    ['open', (length) => ({ open: Array.from({ length }, () => 'address') }), 50],
    ['reference', (length) => ({ reference: 'x'.repeat(length) }), 200],
    ['returnUrl', (length) => ({ returnUrl: '/'.padEnd(length, 'x') }), 2_000],
    ['failReturnUrl', (length) => ({ failReturnUrl: '/'.padEnd(length, 'x') }), 2_000],
  ])('%s of a decision has a maximum length', (name, decided, longest) => {
    expect(check({ params: priced, ...decided(longest) })).toMatchObject({ params: priced })
    expectRefusal({ params: priced, ...decided(longest + 1) }, `${name} must be`)
  })

  test('values have at most a thousand characters', () => {
    const params = { ...priced, theme: 'x'.repeat(1_000) }
    expect(check({ params }).params).toEqual(params)
    expectRefusal({ params: { ...priced, city: 'x'.repeat(1_001) } }, 'params.city must be text')
  })
})

describe('where the shopper goes afterwards', () => {
  test.each([
    ['/thanks', 'https://shop.example/thanks'],
    ['thanks?a=1', 'https://shop.example/api/thanks?a=1'],
    ['https://other.example/thanks', 'https://other.example/thanks'],
    ['http://localhost:3000/', 'http://localhost:3000/'],
    ['com.example.shop:/return', 'com.example.shop:/return'],
    ['com.example.shop://return', 'com.example.shop://return'],
    ['c.example:/return', 'c.example:/return'],
    ['com.e-x+4.shop:/return', 'com.e-x+4.shop:/return'],
  ])('a return address may be %s', (returnUrl, absolute) => {
    expect(check({ params: priced, returnUrl })).toMatchObject({
      returnUrl: absolute,
      failReturnUrl: null,
    })
    expect(check({ params: priced, failReturnUrl: returnUrl })).toMatchObject({
      returnUrl: null,
      failReturnUrl: absolute,
    })
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://shop.example/',
    'https://ada:secret@shop.example/',
    'https://ada@shop.example/',
    'https://:secret@shop.example/',
    'https://',
    'example:/return',
    'com.:/return',
    'com..example:/return',
    'com..my.example:/return',
    ['https://shop.example/thanks'] as never,
  ])('a return address must not be %s', (address) => {
    expectRefusal({ params: priced, returnUrl: address }, 'returnUrl must be https')
    expectRefusal({ params: priced, failReturnUrl: address }, 'failReturnUrl must be https')
  })
})

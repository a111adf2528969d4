// Promise: fulfilment/webhook
/** Which order a webhook is about, in whatever format, and the key in the address of the service's own webhooks. */
import { describe, expect, test } from 'vitest'
import { derive } from '../../src/client/settings.ts'
import { hintOf, keyOf, readHint, seen, webhookKeyOf } from '../../src/fulfilment/webhook.ts'

describe('a hint', () => {
  test('a hint round-trips through its key', () => {
    for (const hint of [{ order_id: 'o' }, { custom_id: 'c' }, seen('o', 'order_complete', true)])
      expect(hintOf(keyOf(hint))).toEqual(hint)
    expect(seen('o', 'order_complete', true)).toEqual({ order_id: 'o', type: 'order_complete', listed: true })
    for (const type of ['order_failed', undefined]) expect(seen('o', type, false)).toEqual({ order_id: 'o' })
  })

  const paid = { order_id: 'o', type: 'order_complete' }
  const looksLikeOrder = { type: 'order_complete', custom_id: 'c' }

  test.each<[unknown, object | null]>([
    [{ order_id: 'o' }, { order_id: 'o' }],
    [{ orderId: 'o' }, { order_id: 'o' }],
    [{ order_id: 7 }, { order_id: '7' }],
    [{ order_id: ' ', orderId: 'o' }, { order_id: 'o' }],
    [{ order_id: 'o', data: { order_id: 'inner' } }, { order_id: 'o' }],
    [{ id: 'o', ...looksLikeOrder }, paid],
    [{ order_id: 'o', type: 'order_complete' }, paid],
    [{ order_id: 'o', type: 'payment_started' }, { order_id: 'o' }],
    [{ event: 'x', data: { orderId: 'o', type: 'order_complete' } }, paid],
    [{ order_id: 'o', others: [{ order_id: 'p', type: 'order_complete' }] }, { order_id: 'o' }],
    [[{ order_id: 'o', type: 'order_complete' }, { order_id: 'p' }], paid],
    [{ id: 'o', type: 'x', quote: 'USD' }, { order_id: 'o' }],
    [{ id: 'o', type: 'x', product_id: 'p' }, { order_id: 'o' }],
    [{ id: 'event', type: 'x' }, null],
    [{ id: 'event', custom_id: 'c' }, { custom_id: 'c' }],
    [{ custom_id: 'c' }, { custom_id: 'c' }],
    [{ customId: 'c' }, { custom_id: 'c' }],
    [{ order_id: 'x'.repeat(128) }, { order_id: 'x'.repeat(128) }],
    [{ order_id: 'x'.repeat(129) }, null],
    [{ order_id: true }, null],
    [[[{ order_id: 'o' }]], { order_id: 'o' }],
    [{ a: { b: { c: { d: { order_id: 'o' } } } } }, { order_id: 'o' }],
    [{ a: { b: { c: { d: { e: { order_id: 'o' } } } } } }, null],
    [{ partner_data: { order_id: 'o' } }, null],
    [{ record: { partner_data: { input: { order_id: 'o' } } } }, null],
    [[...Array(199).fill(0), { order_id: 'o' }], { order_id: 'o' }],
    [[...Array(200).fill(0), { order_id: 'o' }], null],
    [[Array(150).fill(0), [...Array(49).fill(0), { order_id: 'o' }]], { order_id: 'o' }],
    [[Array(150).fill(0), [...Array(50).fill(0), { order_id: 'o' }]], null],
    [[...Array(199).fill([]), { order_id: 'o' }], { order_id: 'o' }],
    [[...Array(198).fill({}), { data: { order_id: 'o' } }], { order_id: 'o' }],
    [[...Array(199).fill({}), { data: { order_id: 'o' } }], null],
    [{ note: 'x'.repeat(300), data: { order: { order_id: 'o' } } }, { order_id: 'o' }],
    [{ note: null, data: { order_id: 'o' } }, { order_id: 'o' }],
    [null, null],
    ['order_id', null],
    [{}, null],
  ])('the hint in %j is %j', (body, hint) => {
    expect(readHint(JSON.stringify(body))).toEqual(hint)
  })

  test('a hint may be a form', () => {
    expect(readHint('event=x&order_id=o')).toEqual({ order_id: 'o' })
    expect(readHint('type=order_complete&order_id=o')).toEqual(paid)
    expect(readHint('custom_id=c')).toEqual({ custom_id: 'c' })
    expect(readHint('')).toBeNull()
  })
})

test('the key of webhooks is 32 url-safe characters, the same for the same secret and another for another', async () => {
  const keyFor = (secret: string): Promise<string> =>
    webhookKeyOf({ deriveKey: (purpose) => derive(secret, purpose) })
  const key = await keyFor('secret')
  expect(key).toMatch(/^[\w-]{32}$/)
  expect(await keyFor('secret')).toBe(key)
  expect(await keyFor('another')).not.toBe(key)
})

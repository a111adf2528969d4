import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { resolveRedirect } from '../../src/index.ts'
import { announceReturn } from '../../src/return.ts'
import { createCompanion } from './page.ts'

const { href } = location
const here = (added: string): string => `${href}${href.includes('?') ? '&' : '?'}${added}`

/** As if the service had sent the shopper to this page. */
const arriveAt = (url: string): void => history.replaceState(null, '', url)

/** What the loader leaves behind before the widget opens. */
const leave = (purchase: object): void => sessionStorage.setItem('purchase-widget', JSON.stringify(purchase))

beforeEach(() => sessionStorage.clear())
afterEach(() => {
  arriveAt(href)
  localStorage.clear()
})

test('says what the address says, and takes it out of there', () => {
  arriveAt(here('order_id=o1&type=order_complete'))
  expect(announceReturn()).toMatchObject({ status: 'success', orderId: 'o1', url: href })
  expect(location.href).toBe(href)
})

test('bears with an address that cannot be decoded', () => {
  arriveAt(here('order_id=%E0%A4%A&&custom_id'))
  expect(announceReturn()).toMatchObject({ status: 'unknown', orderId: '%E0%A4%A' })
  expect(location.href).toBe(href)
})

test('the result is the order that was not there before the purchase, verified', async () => {
  const order = { id: 'new', type: 'order_complete', decline: null }
  const companion = await createCompanion({
    orders: [order, { id: 'old', type: 'order_failed', decline: null }],
  })
  leave({ id: '1', companion: companion.url, ids: ['old'] })
  expect(await announceReturn().result).toEqual({ status: 'success', verified: true, order, returnUrl: href })
})

test('an order that the address names is asked for by its id', async () => {
  const decline = { code: '4001', reason: 'Incorrect CVV', action: 'Enter it again.' }
  const order = { id: 'o1', type: 'order_failed', decline }
  const companion = await createCompanion({ orders: [order] })
  arriveAt(here('order_id=o1'))
  expect(await announceReturn({ companion: companion.url }).result).toMatchObject({
    status: 'failure',
    verified: true,
    decline,
  })
  expect((await companion.state()).reads).toBe(0)
})

test('a tab that knows nothing of the purchase finds the orders from before in localStorage', async () => {
  const order = { id: 'new', type: 'order_complete', decline: null }
  const companion = await createCompanion({ orders: [order] })
  localStorage.setItem('purchase-widget', JSON.stringify({ companion: companion.url, ids: [] }))
  expect(await announceReturn().result).toMatchObject({ status: 'success', verified: true, order })
})

test('a result is asked for only when it is read, and once', async () => {
  const companion = await createCompanion({ orders: [{ id: 'new', type: 'order_complete', decline: null }] })
  leave({ id: '1', companion: companion.url, ids: [] })
  const announced = announceReturn()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect((await companion.state()).reads).toBe(0)
  expect(announced.result).toBe(announced.result)
  await announced.result
  expect((await companion.state()).reads).toBe(1)
})

test('without anybody to ask, the address is a hint and never verified', async () => {
  expect(await announceReturn().result).toMatchObject({ status: 'unknown' })
  expect(await announceReturn({ redirectUrl: href }).result).toEqual({
    status: 'success',
    verified: false,
    returnUrl: href,
  })
})

test('a merchant without a companion confirms with a function', async () => {
  const order = { id: 'o1', type: 'order_complete', decline: null }
  const { result } = announceReturn({ confirm: async ({ returnUrl }) => (returnUrl === href ? order : null) })
  expect(await result).toMatchObject({ status: 'success', verified: true, order })
})

const foreign = [
  ...['', '{', 'null', 'true', '7', '"x"', '[]', '["x"]', '{}', '{"id":null}', '{"id":{}}', '{"id":7}'],
  ...['{"companion":7}', '{"companion":{}}', '{"id":"1","companion":["/x"]}'],
  ...['{"id":"1","ids":"x"}', '{"id":"1","ids":7}', '{"id":"1","ids":{}}', '{"id":[],"ids":[]}'],
  '{"__proto__":{"companion":"https://evil.example"}}',
]

test.each(foreign)('storage that holds %s is ignored', async (value) => {
  sessionStorage.setItem('purchase-widget', value)
  localStorage.setItem('purchase-widget', value)
  expect(await announceReturn().result).toMatchObject({ status: 'unknown' })

  // What was in the tab's storage does not hide what is in the other.
  const order = { id: 'new', type: 'order_complete', decline: null }
  const companion = await createCompanion({ orders: [order] })
  localStorage.setItem('purchase-widget', JSON.stringify({ companion: companion.url, ids: [] }))
  expect(await announceReturn().result).toMatchObject({ status: 'success', verified: true, order })
})

test('storage that is forbidden is done without', async () => {
  const forbidden = vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  })
  const forbiddenToo = vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(forbidden)
  try {
    expect(await announceReturn().result).toMatchObject({ status: 'unknown' })
    expect(forbidden).toHaveBeenCalled()
  } finally {
    forbidden.mockRestore()
    forbiddenToo.mockRestore()
  }
})

test('a companion on Object.prototype is not asked', async () => {
  const order = { id: 'new', type: 'order_complete', decline: null }
  const { url } = await createCompanion({ orders: [order] })
  Object.assign(Object.prototype, { companion: url, ids: [] })
  onTestFinished(() => {
    for (const name of ['companion', 'ids']) Reflect.deleteProperty(Object.prototype, name)
  })
  expect(await announceReturn().result).toMatchObject({ status: 'unknown' })
})

test("an order leads to pages of this one's origin, and to no other", () => {
  const to = (redirect_url: string) => resolveRedirect({ type: 'order_complete', redirect_url })
  expect(to(href)).toEqual({ url: href, target: '_self' })
  expect(to('https://evil.example')).toBeNull()
})

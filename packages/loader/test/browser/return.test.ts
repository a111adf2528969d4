// Promise: return/kit
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { announceReturn } from '../../src/entries/return.ts'
import type { CompanionState } from './merchant.ts'
import { complete, createCompanion, order, paid, pending, type TestCompanion, takeTimers } from './page.ts'

const { href } = location
const purchaseId = 'AbCdEfGhIjKlMnOpQrSt_-'

const at = (added: string): string => `${href}${href.includes('?') ? '&' : '?'}${added}`

/** Simulates a redirect of the shopper to this page. */
const arriveAt = (added: string): void => history.replaceState(null, '', at(added))

/** A companion that knows the purchase. */
const companionOf = (purchase: CompanionState['purchase']): Promise<TestCompanion> =>
  createCompanion({ ids: [purchaseId], purchase })

/** The messages that another page receives about the purchase. */
function hearReturn(): unknown[] {
  const heard: unknown[] = []
  const channel = new BroadcastChannel(`purchase-widget:${purchaseId}`)
  channel.onmessage = ({ data }) => heard.push(data)
  onTestFinished(() => channel.close())
  return heard
}

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})
afterEach(() => history.replaceState(null, '', href))

test('the return kit reads the address and removes what it has read', () => {
  arriveAt(`purchase=${purchaseId}&order_id=o1&type=order_complete`)
  expect(announceReturn()).toMatchObject({ purchaseId, status: 'success', orderId: 'o1', url: href })
  expect(location.href).toBe(href)
})

test('an address that cannot be decoded causes no error', () => {
  arriveAt('order_id=%E0%A4%A&&custom_id')
  expect(announceReturn()).toMatchObject({ status: 'unknown', orderId: '%E0%A4%A' })
  expect(location.href).toBe(href)
})

test('the result has the companion’s state of the purchase, and the current address of the page', async () => {
  const companion = await companionOf(complete)
  arriveAt(`purchase=${purchaseId}`)
  expect(await announceReturn({ companion: companion.url }).result).toEqual({
    status: 'success',
    verified: true,
    order: paid,
    returnUrl: href,
  })
  const { reads, returns } = await companion.state()
  expect({ reads, returns }).toEqual({ reads: 1, returns: 1 })
})

test('the result waits for a pending order', async () => {
  const companion = await companionOf(pending)
  arriveAt(`purchase=${purchaseId}`)
  const { result } = announceReturn({ companion: `${companion.url}/` })
  await expect.poll(async () => (await companion.state()).reads).toBeGreaterThan(0)
  await companion.set({ purchase: complete })
  expect(await result).toMatchObject({ status: 'success', verified: true })
})

test('the headers of the options are sent with the request for the result', async () => {
  const { url } = await companionOf(complete)
  arriveAt(`purchase=${purchaseId}`)
  const fetched = vi.spyOn(window, 'fetch')
  onTestFinished(() => fetched.mockRestore())
  const headers = async (): Promise<Record<string, string>> => ({ authorization: 'Bearer mine' })
  await announceReturn({ companion: url, headers }).result
  expect(fetched.mock.calls.map(([, init]) => ({ ...init?.headers }))).toEqual([
    { authorization: 'Bearer mine' },
  ])
})

test('a result is requested only when it is read, and only once', async () => {
  const companion = await companionOf(complete)
  arriveAt(`purchase=${purchaseId}`)
  const announced = announceReturn({ companion: companion.url })
  expect((await companion.state()).reads).toBe(0)
  expect(announced.result).toBe(announced.result)
  await announced.result
  expect((await companion.state()).reads).toBe(1)
})

test('a second call, on the cleaned address, returns the same', async () => {
  const companion = await companionOf(complete)
  arriveAt(`purchase=${purchaseId}`)
  const first = announceReturn({ companion: companion.url })
  expect(announceReturn({ companion: companion.url })).toBe(first)
  arriveAt('elsewhere')
  expect(announceReturn()).not.toBe(first)
})

/** Imports the module again, as a page reloaded on the same history entry does. */
const reload = async (): Promise<typeof announceReturn> => {
  const again = `../../src/entries/return.ts?${crypto.randomUUID()}`
  return (await import(/* @vite-ignore */ again)).announceReturn
}

test('a reloaded page still knows the purchase, and keeps the other state of its history entry', async () => {
  const companion = await companionOf(complete)
  history.replaceState({ scroll: 7 }, '', at(`purchase=${purchaseId}&custom_id=shopper-1`))
  announceReturn({ companion: companion.url })
  expect(location.href).toBe(href)
  expect(history.state).toEqual({ scroll: 7, 'purchase-widget': purchaseId })
  const announced = (await reload())({ companion: companion.url })
  expect(announced.purchaseId).toBe(purchaseId)
  expect(await announced.result).toMatchObject({ status: 'success', verified: true })
})

test('a history entry whose state is not a purchase stays unchanged', async () => {
  for (const state of [
    null,
    'text',
    7,
    { 'purchase-widget': 'no id' },
    { 'purchase-widget': { toString: 1 } },
  ]) {
    history.replaceState(state, '', href)
    expect((await reload())()).toMatchObject({ status: 'unknown', url: href })
    expect((await reload())().purchaseId).toBeUndefined()
    expect(history.state).toEqual(state)
  }
})

test('without a server, the address is a hint and never verified', async () => {
  arriveAt(`purchase=${purchaseId}`)
  expect(await announceReturn().result).toMatchObject({ status: 'unknown' })
  arriveAt(`purchase=${purchaseId}&type=order_complete`)
  expect(await announceReturn().result).toEqual({ status: 'success', verified: false, returnUrl: href })
})

/** What an attacker may add to the address of a return page, or write in its path. */
const forged = [
  ...['order_complete', 'order_failed'].flatMap((type) => [
    `type=${type}`,
    `&type=${type}`,
    `order_id=o1&type=${type}`,
    `type=${type}&custom_id=shopper-1`,
    `type=${type}&fail_reason=4004`,
    `?type=${type}`,
    `type=${type}&type=${type}`,
    `type=${type}&status=complete&verified=true`,
    `order_id=o1&custom_id=c&type=${type}&fail_reason=4001%20Incorrect%20CVV`,
    `type=${type}&purchase=${purchaseId}`,
    `type=${type}#paid`,
    `from=mail&type=${type}`,
    `type=${type}&return=success`,
    `type=${type}%26`,
    `TYPE=x&type=${type}`,
    `result=success&type=${type}`,
  ]),
  'fail_reason=4004',
  'fail_reason=Insufficient%20balance%204004',
  'order_id=o1',
  'status=success',
  'status=failure',
  'type=order_refunded',
  'type=payment_started',
  'custom_id=shopper-1&order_id=o1',
]

const answers: [answer: object | null, status: string][] = [
  [{ status: 'none' }, 'unknown'],
  [{ status: 'pending', order: order('payment_started') }, 'unknown'],
  [complete, 'success'],
  [{ status: 'failed', order: order('order_failed') }, 'failure'],
  [null, 'unknown'],
]

test('only the server’s answer, or its absence, determines the result of 40 forged links', async () => {
  expect(forged).toHaveLength(40)
  takeTimers()
  const fetched = vi.spyOn(window, 'fetch')
  onTestFinished(() => fetched.mockRestore())
  for (const [index, added] of forged.entries()) {
    const [answer, status] = answers[index % answers.length] ?? [null]
    // The body is available at once, so that the test can skip a minute.
    fetched.mockResolvedValue({ ok: !!answer, json: async () => answer } as Response)
    arriveAt(`purchase=${purchaseId}&${added}`)
    const { result } = announceReturn({ companion: '/companion' })
    void result
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await result, added).toMatchObject({ status })
  }
})

test('with a companion, an outcome in an address without a purchase id leaves the result unknown', async () => {
  arriveAt('type=order_complete')
  expect(await announceReturn({ companion: '/companion' }).result).toMatchObject({ status: 'unknown' })
})

test('the return page removes its own purchase from the storage, and keeps another purchase', async () => {
  const { url } = await companionOf(complete)
  for (const [id, isKept] of [
    [purchaseId, false],
    ['x'.repeat(22), true],
  ] as const) {
    const kept = `${id} ${Date.now()}`
    sessionStorage.setItem('purchase-widget', kept)
    arriveAt(`purchase=${purchaseId}&from=${id}`)
    await announceReturn({ companion: url }).result
    expect(sessionStorage.getItem('purchase-widget')).toBe(isKept ? kept : null)
  }
})

test('without a companion, the confirm function receives the purchase and verifies it', async () => {
  arriveAt(`purchase=${purchaseId}`)
  const confirm = vi.fn(async () => paid)
  expect(await announceReturn({ confirm }).result).toMatchObject({
    status: 'success',
    verified: true,
    order: paid,
  })
  expect(confirm).toHaveBeenCalledWith({ purchaseId, returnUrl: href })
})

test('without a companion the return kit notifies the page that opened the widget', async () => {
  const heard = hearReturn()
  // The tests run in a frame.
  const post = vi.spyOn(parent, 'postMessage')
  const close = vi.spyOn(BroadcastChannel.prototype, 'close')
  onTestFinished(() => {
    post.mockRestore()
    close.mockRestore()
  })
  arriveAt(`purchase=${purchaseId}&type=order_failed`)
  announceReturn()
  expect(close).toHaveBeenCalledOnce()
  expect(post.mock.calls).toEqual([[expect.objectContaining({ purchaseId }), location.origin]])
  await expect
    .poll(() => heard)
    .toEqual([
      {
        source: 'purchase-widget',
        type: 'returned',
        purchaseId,
        outcome: 'failure',
        returnUrl: `${href}${href.includes('?') ? '&' : '?'}purchase=${purchaseId}`,
      },
    ])
})

test("with a companion the return kit posts no message, because the companion's own page has", async () => {
  const heard = hearReturn()
  const companion = await companionOf(complete)
  arriveAt(`purchase=${purchaseId}`)
  await announceReturn({ companion: companion.url }).result
  // An earlier message would have arrived by now.
  new BroadcastChannel(`purchase-widget:${purchaseId}`).postMessage('last')
  await expect.poll(() => heard).toEqual(['last'])
})

test('a page without a purchase in its address makes no request', async () => {
  const companion = await companionOf(complete)
  arriveAt('nothing')
  expect(await announceReturn({ companion: companion.url }).result).toMatchObject({ status: 'unknown' })
  expect((await companion.state()).reads).toBe(0)
})

test('a companion on Object.prototype is ignored', async () => {
  const { url } = await companionOf(complete)
  Object.assign(Object.prototype, { companion: url })
  onTestFinished(() => void Reflect.deleteProperty(Object.prototype, 'companion'))
  arriveAt(`purchase=${purchaseId}`)
  expect(await announceReturn().result).toMatchObject({ status: 'unknown' })
})

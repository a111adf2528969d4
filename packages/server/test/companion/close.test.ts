// Promise: companion/close
/** Work in progress ends before the store is closed, when the companion is closed. */
import { once } from 'node:events'
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  type Companion,
  type CompanionOptions,
  createCompanion,
  memoryStore,
  type Store,
  type TokenGrant,
  toNodeHandler,
} from '../../src/index.ts'
import { returnAddress } from '../../src/purchase/carrier.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { bodyOf, get, mount, post } from '../support/companion.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()

const priced = { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' }
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Each test closes its own. */
const shop = (options: Partial<CompanionOptions>): Companion =>
  createCompanion({
    url: mount,
    authorize: () => ({ customId: 'ada' }),
    createPurchase: () => ({ params: priced }),
    client: service.client(),
    ...options,
  })

/** Records the name of each function that is called of a store and its parts. */
function watched<Part extends object>(part: Part, onCall: (name: string) => void): Part {
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value === 'object' && value !== null) return watched(value, onCall)
      if (typeof value !== 'function') return value
      return (...given: unknown[]): unknown => {
        onCall(String(key))
        return value.apply(target, given)
      }
    },
  })
}

test.each(['with requests', 'without any'])('the store is closed with the companion, %s', async (how) => {
  const store = { ...memoryStore(), close: vi.fn(async () => {}) }
  const companion = shop({ store })
  if (how === 'with requests') await companion.fetch(get('/orders'))
  expect(store.close).not.toHaveBeenCalled()
  await companion.close()
  expect(store.close).toHaveBeenCalledOnce()
})

test.each<[string, (store: Store) => void]>([
  ['reconciliation', () => {}],
  [
    'the read of a shopper who has come back',
    ({ purchases }) => {
      purchases.unsettled = async () => []
    },
  ],
])('after close() the companion makes no call to the store, with %s in progress', async (what, prepare) => {
  const calls: string[] = []
  const own = sqliteStore(':memory:')
  prepare(own)
  let isHeld = false
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const companion = shop({
    store: watched(own, (name) => calls.push(name)),
    client: service.client({
      async fetch(input, init) {
        const answer = await fetch(input, init)
        if (!String(input).includes('order_history')) return answer
        isHeld = true
        await held
        return answer
      },
    }),
  })
  const answer = bodyOf(companion.fetch(post('/launch', {}, 'ada')))
  const { params, purchaseId } = (await answer) as TokenGrant
  await service.buy(params)
  if (what !== 'reconciliation') {
    const path = returnAddress(mount, purchaseId, 'success').slice(mount.length)
    expect((await companion.fetch(get(path))).status).toBe(200)
  }
  await expect.poll(() => isHeld, { timeout: 30_000 }).toBe(true)

  const closed = companion.close()
  await pause(50)
  release()
  await closed
  await pause(500)
  expect(calls.slice(calls.indexOf('close') + 1)).toEqual([])
})

/** A companion whose purchases wait until the shop decides. */
function undecided(store: Store) {
  let ask = (): void => {}
  const asked = new Promise<void>((resolve) => (ask = resolve))
  let decide = (): void => {}
  const decided = new Promise<void>((resolve) => (decide = resolve))
  const companion = shop({
    async createPurchase() {
      ask()
      await decided
      return { params: priced }
    },
    store,
  })
  return { companion, asked, decide }
}

test('a purchase in progress is stored, and its token issued, before the store is closed', async () => {
  const calls: string[] = []
  const { companion, asked, decide } = undecided(watched(sqliteStore(':memory:'), (name) => calls.push(name)))
  const answer = companion.fetch(post('/launch', {}, 'ada'))
  await asked
  const closed = companion.close()
  await pause(50)
  decide()
  expect((await answer).status).toBe(200)
  await closed
  expect(calls).toContain('begin')
  expect(calls.at(-1)).toBe('close')
})

test('a connection that is still open after the server stops listening is closed with its answer', async () => {
  const { companion, asked, decide } = undecided(memoryStore())
  const server = createServer(toNodeHandler(companion)).listen(0, '127.0.0.1')
  // Node itself would close the connection after five seconds; here never, so that it is not Node that closes it.
  server.keepAliveTimeout = 0
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const headers = { 'content-type': 'application/json', origin: new URL(mount).origin }
  const options = { port, path: '/launch', method: 'POST', agent, headers }
  const sent = httpRequest(options).end('{}')
  await asked

  const ended = once(server, 'close')
  server.close()
  const closed = companion.close()
  decide()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(200)
  expect(answer.headers.connection).toBe('close')
  answer.resume()
  await closed
  await ended
})

test('a caller after close() gets no token without a purchase, and is asked to try again', async () => {
  const calls: string[] = []
  const errors: unknown[] = []
  const companion = shop({
    store: watched(sqliteStore(':memory:'), (name) => calls.push(name)),
    onError: (error) => errors.push(error),
  })
  expect((await companion.fetch(post('/launch', {}, 'ada'))).headers.get('connection')).toBeNull()
  await companion.close()

  const token = await companion.fetch(post('/launch', {}, 'ada'))
  expect(token.status).toBe(503)
  expect(token.headers.get('connection')).toBe('close')
  expect(token.headers.get('access-control-allow-origin')).toBe(new URL(mount).origin)
  expect(await token.json()).toEqual({
    error: { code: 'service_unavailable', message: 'This server is stopping. Try again.' },
  })
  const link = await companion.fetch(get('/launch?product_id=gold-100', 'ada', { accept: 'text/html' }))
  expect(link.status).toBe(503)
  expect(link.headers.get('content-type')).toContain('text/html')
  await expect(companion.syncOrder({ order_id: 'o1' })).rejects.toThrow('This server is stopping.')
  expect(calls.at(-1)).toBe('close')
  expect(errors).toEqual([])
})

test('a request that is never answered delays close() for 15 seconds', async () => {
  const errors: unknown[] = []
  const companion = shop({
    authorize: () => new Promise(() => {}),
    store: sqliteStore(':memory:'),
    onError: (error) => errors.push(error),
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  void companion.fetch(post('/launch', {}, 'ada'))
  let isClosed = false
  const closed = companion.close().then(() => (isClosed = true))
  await vi.advanceTimersByTimeAsync(14_900)
  expect(isClosed).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  await closed
  expect(errors.map(String)).toEqual(['Error: A request did not answer in 15000 ms.'])
})

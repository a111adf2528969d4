// Promise: companion/node
/** The companion behind Node's own requests (for frameworks see examples.test.ts), and in Lambda. */
import { request } from 'node:http'
import { connect } from 'node:net'
import express from 'express'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { TrustProxy } from '../../src/adapters/node.ts'
import { keyOf } from '../../src/fulfilment/webhook.ts'
import {
  type Companion,
  createCompanion,
  memoryStore,
  type TokenGrant,
  toLambdaHandler,
  toNodeHandler,
} from '../../src/index.ts'
import { companionOf } from '../support/companion.ts'
import { serverUntilTheEnd, serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let companion: Companion
beforeEach(() => {
  companion = companionOf(service.client(), { rateLimit: { perAddress: 3 } })
})

const token = (url: string, headers: Record<string, string> = {}, body = '{}'): Promise<Response> =>
  fetch(`${url}/token`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', cookie: 'shopper=ada', origin: url, ...headers },
  })

test.each([
  ['JSON', express.json()],
  ['bytes', express.raw({ type: '*/*' })],
  ['text', express.text({ type: '*/*' })],
])('works behind a body parser that has read the body as %s', async (_, parser) => {
  const app = express()
  app.use(parser)
  app.use('/api/purchase-widget', toNodeHandler(companionOf(service.client())))
  const origin = await serverUntilTheEnd(app)
  const mount = `${origin}/api/purchase-widget`
  expect((await token(mount, { origin })).status).toBe(200)
  // The actual body counts.
  expect((await token(mount, { origin }, '{"surface":"bogus"}')).status).toBe(400)
})

test('a body that a parser has turned into something else than JSON counts as read', async () => {
  const app = express()
  app.use(express.json(), (req, _res, next) => {
    req.body = { amount: 1n }
    next()
  })
  app.use(toNodeHandler(companion))
  const answer = await token(await serverUntilTheEnd(app))
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('already read')])
})

test('says where to mount it when a parser that keeps the body to itself is in front, as in Fastify', async () => {
  const handler = toNodeHandler(companion)
  const url = await serverUntilTheEnd(async (req, res) => {
    for await (const _ of req);
    await handler(req, res)
  })
  const answer = await token(url)
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('already read. Mount the companion before what reads it')
})

// Promise: fulfilment/heartbeat
test('continues what a killed process has left, before any request', async () => {
  const store = memoryStore()
  const { id } = await service.buy({ product_id: 'gold-100' })
  await store.jobs.add(keyOf({ order_id: id }), 'trusted')
  const onOrder = vi.fn()
  const restarted = companionOf(service.client(), { store, onOrder })
  onTestFinished(() => restarted.close())
  toNodeHandler(restarted)
  await expect.poll(() => onOrder.mock.calls[0]?.[0].order.id).toBe(id)
})

test('reports a start that fails, such as without settings, and none once the companion is closed', async () => {
  const failures: unknown[] = []
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PURCHASE_API_KEY', '')
  const unset = createCompanion({
    authorize: () => null,
    onError: (error, context) => failures.push([error, context]),
  })
  unset.start()
  expect(failures).toEqual([
    [expect.objectContaining({ name: 'InvalidInputError' }), expect.objectContaining({ during: 'start' })],
  ])
  await unset.close()
  unset.start()
  expect(failures).toHaveLength(1)
})

test('a stalled body is refused, and its connection closed', async () => {
  const url = await serverUntilTheEnd(toNodeHandler(companionOf(service.client())))
  const answer = new Promise<{ status: number | undefined; connection: string | undefined }>((resolve) => {
    const stalled = request(`${url}/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': '500',
        origin: url,
        cookie: 'shopper=ada',
      },
    })
    stalled.on('response', ({ statusCode, headers }) => {
      resolve({ status: statusCode, connection: headers.connection })
      stalled.destroy()
    })
    stalled.on('error', () => {})
    stalled.write('{"params"')
  })
  expect(await answer).toEqual({ status: 408, connection: 'close' })
}, 60_000)

test('a slowly sent body keeps no connection once its address is over the allowance', async () => {
  const url = await serverUntilTheEnd(toNodeHandler(companion))
  const { port } = new URL(url)
  const slow = (): Promise<{ status: string; ended: boolean }> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), '127.0.0.1')
      let said = ''
      socket.on('data', (chunk) => {
        said += chunk
        const status = said.slice(9, 12)
        // A request within the allowance may go on sending: this test closes its connection.
        if (status !== '429') resolve({ status, ended: !socket.destroy() })
      })
      // Without the header, Node would wait five seconds for another request.
      socket.on('end', () =>
        resolve({ status: said.slice(9, 12), ended: /^connection: close\r$/im.test(said) }),
      )
      socket.write(
        `POST /token HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\norigin: ${url}\r\n` +
          'content-type: application/json\r\ncontent-length: 500\r\n\r\n{',
      )
    })
  const answers = []
  for (let index = 0; index < 6; index++) answers.push(await slow())
  const open = { status: '401', ended: false }
  const closed = { status: '429', ended: true }
  expect(answers).toEqual([open, open, open, closed, closed, closed])
})

test.each(['/launch', '/token', '/webhook'])(
  'accepts a body of %s that a proxy sends in chunks',
  async (path) => {
    const url = await serverUntilTheEnd(toNodeHandler(companion))
    const send = async (text: string): Promise<number> => {
      const answer = await fetch(url + path, {
        method: 'POST',
        body: new Blob([text]).stream(),
        // Node's fetch requires it, but its types lack it.
        ...{ duplex: 'half' },
        headers: { 'content-type': 'application/json', cookie: 'shopper=ada', origin: url },
      })
      await answer.body?.cancel()
      return answer.status
    }
    expect(await send('{}')).toBe(path === '/webhook' ? 202 : 200)
    expect(await send(`{"a":"${'x'.repeat(100_000)}"}`)).toBe(413)
  },
)

test('includes the path under which Express has mounted it in its own address', async () => {
  const app = express()
  app.use('/api/purchase-widget', toNodeHandler(companionOf(service.client())))
  const url = await serverUntilTheEnd(app)
  const granted = await token(`${url}/api/purchase-widget`, { origin: url })
  const { params } = (await granted.json()) as TokenGrant
  expect(params.redirect_url).toMatch(`${url}/api/purchase-widget/return/`)
})

test.each([undefined, { authorize: () => null }, () => {}])('requires a companion, not %o', (other) => {
  expect(() => toNodeHandler(other as never)).toThrow(/toNodeHandler takes a companion/)
  expect(() => toLambdaHandler(other as never)).toThrow(/toLambdaHandler takes a companion/)
})

test('counts calls by the address of the connection, whatever the headers say', async () => {
  const url = await serverUntilTheEnd(toNodeHandler(companion))
  const statuses = []
  for (let index = 0; index < 5; index++) {
    statuses.push((await token(url, { 'x-forwarded-for': `203.0.113.${index}` })).status)
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429])
})

test.each(['x:99999', '1.2.3.4.5'])(
  'a request for the impossible host %s is answered 400, and is not a failure of the server',
  async (host) => {
    const onError = vi.fn()
    const url = await serverUntilTheEnd(toNodeHandler(companionOf(service.client(), { onError })))
    const ask = (method: string, path: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { host, cookie: 'shopper=ada', 'content-type': 'application/json' }
        const asked = request(url + path, { method, headers }, (answer) => {
          resolve(answer.resume().statusCode)
        })
        asked.on('error', reject).end(method === 'POST' ? '{}' : undefined)
      })
    expect(await ask('GET', '/launch')).toBe(400)
    expect(await ask('GET', '/orders')).toBe(400)
    expect(await ask('POST', '/webhook')).toBe(400)
    expect(onError).not.toHaveBeenCalled()
  },
)

test('trusts the proxy’s headers only if configured', async () => {
  const forwarded = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'shop.example',
    origin: 'https://shop.example',
  }
  const trusting = await serverUntilTheEnd(toNodeHandler(companionOf(service.client()), { trustProxy: 1 }))
  const wary = await serverUntilTheEnd(toNodeHandler(companionOf(service.client())))
  expect((await token(trusting, forwarded)).status).toBe(200)
  expect((await token(wary, forwarded)).status).toBe(403)
})

test.each<[string, TrustProxy, string, string]>([
  ['nothing', 0, '203.0.113.9', '127.0.0.1'],
  ['one proxy', 1, '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['two proxies', 2, '198.51.100.1, 203.0.113.9', '198.51.100.1'],
  ['two proxies, with words of the caller', 2, 'forged, 198.51.100.1, 203.0.113.9', '198.51.100.1'],
  ['more proxies than there are', 3, '203.0.113.9', '203.0.113.9'],
  ['localhost', ['127.0.0.0/8', '::1'], '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['a block', ['127.0.0.1', '203.0.113.0/24'], '198.51.100.1, 203.0.113.9', '198.51.100.1'],
  ['somebody else', ['10.0.0.0/8'], '203.0.113.9', '127.0.0.1'],
  ['a proxy that writes ports', 1, '[2001:db8::1]:4711', '2001:db8::1'],
  ['a proxy that writes no address', 1, 'unknown', '127.0.0.1'],
])(
  'takes the caller’s address from the right when it trusts %s',
  async (_, trustProxy, forwarded, expected) => {
    const addresses: unknown[] = []
    const url = await serverUntilTheEnd(
      toNodeHandler(
        {
          ...companion,
          fetch: async (_request, info) => {
            addresses.push(info?.address)
            return new Response(null, { status: 204 })
          },
        },
        { trustProxy },
      ),
    )
    await fetch(url, { headers: { 'x-forwarded-for': forwarded } })
    expect(addresses).toEqual([expected])
  },
)

test('refuses an option that it does not have', () => {
  expect(() => toNodeHandler(companion, { trustproxy: 1 } as never)).toThrow(
    'toNodeHandler has no option trustproxy, only trustProxy, context.',
  )
})

test.each([true, -1, 1.5, ['nowhere'], ['10.0.0.0/99'], ['10.0.0.0/'], ['10.0.0.0/ ']])(
  'refuses trustProxy %j by name',
  (trustProxy) => {
    expect(() => toNodeHandler(companion, { trustProxy: trustProxy as TrustProxy })).toThrow(/trustProxy/)
  },
)

test('passes what the framework knows of a request to authorize', async () => {
  const known = companionOf(service.client(), {
    authorize: (_request, context) => (context === 'ada of the session' ? { customId: 'ada' } : null),
  })
  const app = express()
  app.use((req, _res, next) => {
    Object.assign(req, { session: { shopper: req.headers['x-session'] } })
    next()
  })
  const context = (req: Request & { session?: { shopper: string } }): string =>
    `${req.session?.shopper} of the session`
  app.use('/api', toNodeHandler(known, { context: context as never }))
  const url = await serverUntilTheEnd(app)
  const statusFor = async (session: string): Promise<number> =>
    (await token(`${url}/api`, { origin: url, 'x-session': session })).status
  expect([await statusFor('ada'), await statusFor('mallory')]).toEqual([200, 401])
})

test.each([
  [
    'throws',
    () => {
      throw new Error('no session')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no session'))],
])(
  'a context that %s is reported and answered like a failure of authorize, and keeps no webhook away',
  async (_, context) => {
    const onError = vi.fn()
    const store = memoryStore()
    const unknown = companionOf(service.client(), { onError, store })
    const url = await serverUntilTheEnd(toNodeHandler(unknown, { context }))
    const answer = await token(url)
    expect([answer.status, await answer.json()]).toMatchObject([500, { error: { code: 'internal_error' } }])
    expect(onError.mock.calls).toEqual([[new Error('no session'), { during: 'POST /token' }]])
    const webhook = await fetch(`${url}/webhook`, { method: 'POST', body: '{"order_id":"order-1"}' })
    expect(webhook.status).toBe(202)
    expect(onError).toHaveBeenCalledOnce()
  },
)

test('a context that is a promise reaches authorize as its value', async () => {
  const known = companionOf(service.client(), {
    authorize: (_request, context) => (context === 'ada' ? { customId: 'ada' } : null),
  })
  const url = await serverUntilTheEnd(toNodeHandler(known, { context: async () => 'ada' }))
  expect((await token(url)).status).toBe(200)
})

const event = {
  rawPath: '/api/purchase-widget/webhook',
  rawQueryString: '',
  headers: { host: 'shop.example' },
  isBase64Encoded: false,
  requestContext: { domainName: 'shop.example', http: { method: 'GET', sourceIp: '198.51.100.7' } },
}

type Work = readonly [ms: number, outcome?: 'failed']

/** When the invocation answers, for a companion that does all this work after its own answer. */
async function answersAfter(...works: readonly Work[]): Promise<number | null> {
  const fetch: Companion['fetch'] = async (_request, info) => {
    for (const [ms, outcome] of works) info?.waitUntil?.(end(ms, outcome))
    return new Response(null, { status: 202 })
  }
  const from = Date.now()
  let at: number | null = null
  const answered = toLambdaHandler({ fetch })(event).then((answer) => {
    expect(answer.statusCode).toBe(202)
    at = Date.now() - from
  })
  await vi.advanceTimersByTimeAsync(10_000)
  await answered
  return at
}

const end = (ms: number, outcome?: 'failed'): Promise<void> =>
  new Promise((resolve, reject) => {
    setTimeout(() => (outcome ? reject(new Error('onOrder')) : resolve()), ms)
  })

// Promise: companion/lambda
describe('in Lambda', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('the answer waits for the work that its request has caused', async () => {
    expect(await answersAfter([3_000])).toBe(3_000)
    expect(await answersAfter([3_000, 'failed'])).toBe(3_000)
  })

  test('failed work ends the wait for no other', async () => {
    expect(await answersAfter([3_000], [100, 'failed'])).toBe(3_000)
  })

  test.each([
    {},
    null,
    'warm',
    { source: 'aws.events' },
    { ...event, requestContext: { httpMethod: 'GET' } },
  ])('an event that is no request of payload 2.0 is answered: %j', async (other) => {
    const fetch = vi.fn<Companion['fetch']>()
    expect(await toLambdaHandler({ fetch })(other as never)).toMatchObject({
      statusCode: 400,
      body: expect.stringContaining('payload format 2.0'),
    })
    expect(fetch).not.toHaveBeenCalled()
  })

  test('the answer waits five seconds at most', async () => {
    expect(await answersAfter([60_000])).toBe(5_000)
  })

  // The gateway appends its own caller, who is `sourceIp` too.
  test.each<[TrustProxy, string | undefined, string]>([
    [0, '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    [1, '203.0.113.9, 198.51.100.7', '203.0.113.9'],
    [1, 'forged, 203.0.113.9, 198.51.100.7', '203.0.113.9'],
    [1, '203.0.113.9', '203.0.113.9'],
    [1, '198.51.100.7', '198.51.100.7'],
    [1, undefined, '198.51.100.7'],
    [2, '203.0.113.9, 192.0.2.1, 198.51.100.7', '203.0.113.9'],
    [['198.51.100.0/24'], '203.0.113.9, 198.51.100.7', '203.0.113.9'],
  ])(
    'with trustProxy %j and X-Forwarded-For: %s, the caller is %s',
    async (trustProxy, forwarded, expected) => {
      const fetch = vi.fn<Companion['fetch']>(async () => new Response(null, { status: 204 }))
      const headers = { ...event.headers, ...(forwarded ? { 'x-forwarded-for': forwarded } : {}) }
      await toLambdaHandler({ fetch }, { trustProxy })({ ...event, headers })
      expect(fetch.mock.lastCall?.[1]?.address).toBe(expected)
    },
  )
})

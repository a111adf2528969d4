// Promise: serve/hooks
/** The hooks of `serve`, with shops that are attacked, broken or down. */
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Checkup } from '../../src/index.ts'
import { checkHooks } from '../../src/serve/checkHooks.ts'
import { cookiesOf } from '../../src/serve/hooks.ts'
import {
  answer,
  type HookRequest,
  type HookShop,
  hookSecret,
  type Misbehaviour,
  signed,
  startHookShop,
} from '../support/hookShop.ts'
import { listen } from '../support/http.ts'
import { type Service, startService } from '../support/service.ts'
import {
  type Answered,
  ask as askAt,
  launch as launchAt,
  type Serving,
  serviceVariables,
  settingsFor,
  startServing,
} from '../support/serving.ts'

test('a Cookie header of 8 kB is read at once, and values arrive as they were sent', () => {
  // With a pattern for the whole, this would take minutes.
  const header = `${' '.repeat(8_000)}x; a = "b" ;; =c; d=e=f; j={"id":1}; o=a\\054b; p=two%20words`
  const read = { a: 'b', '': 'c', d: 'e=f', j: '{"id":1}', o: 'a\\054b', p: 'two%20words' }
  expect(cookiesOf(header)).toEqual(read)
})

let service: Service
let shop: HookShop
let serving: Serving
/** The sandbox is not reset: the one companion of all tests keeps its token. */
beforeAll(async () => {
  service = await startService()
  for (const [name, value] of Object.entries(serviceVariables(service))) vi.stubEnv(name, value)
  shop = await startHookShop()
  serving = await startServing(shop.url)
})
beforeEach(() => {
  shop.misbehave = null
  shop.calls.length = 0
  shop.delivered.clear()
  serving.log.length = 0
})
afterAll(async () => {
  await serving.close()
  await shop.close()
  vi.unstubAllEnvs()
  await service.close()
})

const email = 'jane.doe@shopper.example'

const cookie = 'shopper=shopper-1; private=secret-cookie'

const ask = (path: string, headers: Record<string, string> = {}): Promise<Answered> =>
  askAt(serving.address, path, { cookie, ...headers })

const launch = (product = 'gold-100', headers: Record<string, string> = {}): Promise<Answered> =>
  launchAt(serving.address, product, { cookie, ...headers })

const failures = (): string[] =>
  serving.log.filter(({ level }) => level === 'error').map(({ message }) => String(message))

/** The log must not contain data of the shopper, the shop's answer, or a secret. */
function expectNothingPersonal(): void {
  const lines = JSON.stringify(serving.log)
  for (const text of [email, 'secret-cookie', hookSecret, 'accessToken']) expect(lines).not.toContain(text)
}

const resign =
  (at: Date, secret = hookSecret): Misbehaviour =>
  ({ headers }, response) => {
    const text = JSON.stringify({ customId: email })
    response.writeHead(200, signed(`answer_${headers['webhook-id']}`, text, at, secret)).end(text)
  }

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000)
const otherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const personal = JSON.stringify({ customId: email })

/** The answer to an earlier call. */
let recorded: { text: string; headers: Record<string, string> } | null = null

/** [what the hook does, how, what the log says] */
const attacks: [string, Misbehaviour, RegExp][] = [
  [
    'an unsigned answer',
    (_, response) => response.writeHead(200).end(personal),
    /authorize hook gave an answer that is not signed .*\(Missing required headers\)/,
  ],
  ['an old answer', resign(minutesAgo(6)), /timestamp too old\): compare .* the clocks/],
  ['an answer from the future', resign(minutesAgo(-6)), /timestamp too new\): compare .* the clocks/],
  [
    'an answer that another host signed',
    resign(new Date(), otherSecret),
    /\(No matching signature found\): compare .* the secret/,
  ],
  [
    'the answer to another call',
    (request, response) => {
      const text = personal
      recorded ??= { text, headers: signed(`answer_${request.headers['webhook-id']}-before`, text) }
      response.writeHead(200, recorded.headers).end(recorded.text)
    },
    /gave the answer to another call/,
  ],
  [
    'our own call sent back',
    ({ headers, text }, response) => {
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
      response
        .writeHead(200, Object.fromEntries(names.map((name) => [name, String(headers[name])])))
        .end(text)
    },
    /gave the answer to another call/,
  ],
  [
    'an answer that was changed on its way',
    (request, response) => answerChanged(request, response),
    /\(No matching signature found\): compare .* the secret/,
  ],
  ['10 MB', (_, response) => response.writeHead(200).end('x'.repeat(10_000_000)), /more than 65536 bytes/],
  [
    'a redirect to the metadata address',
    (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    /answered 302\. Redirects are not followed/,
  ],
  ['a closed connection', (_, response) => void response.destroy(), /could not be reached/],
  ['a server error', (_, response) => response.writeHead(500).end(email), /authorize hook answered 500\./],
  ['text', (request, response) => answer(request, response, email), /must answer \{ "customId"/],
  ['a number as an id', (request, response) => answer(request, response, { customId: 7 }), /must answer/],
  ['an empty id', (request, response) => answer(request, response, { customId: '' }), /must answer/],
  [
    'an unknown field',
    (request, response) => answer(request, response, { customId: 'a', email }),
    /must answer/,
  ],
  [
    'a name of the prototype',
    (request, response) => answer(request, response, '{"customId":"a","__proto__":{"userId":"b"}}'),
    /must answer/,
  ],
  ...[
    'javascript:alert(1)',
    'http://shop.example/sign-in',
    'https://jane.doe@evil.example/',
    '//evil.example/',
    '/\t/evil.example/',
  ].map((location): [string, Misbehaviour, RegExp] => [
    `${JSON.stringify(location)} as a sign-in page`,
    (request, response) => answer(request, response, { location }),
    /"location": https address, or path of the shop/,
  ]),
]

/** Attacks on the deadline: slow answers. */
const slow: [string, Misbehaviour][] = [
  ['no answer', () => {}],
  ['a body without an end', (_, response) => void response.writeHead(200).write('{')],
  [
    'a body that comes in drops',
    (_, response) => {
      response.writeHead(200)
      const drops = setInterval(() => response.write(' '), 100)
      response.on('close', () => clearInterval(drops))
    },
  ],
]

function answerChanged({ headers }: HookRequest, response: ServerResponse): void {
  response.writeHead(200, signed(`answer_${headers['webhook-id']}`, '{"customId":"a"}')).end(personal)
}

describe('the authorize hook', () => {
  test('receives a signed call with cookies, authorization and address, and its session’s headers', async () => {
    const { status, location } = await launch('gold-100', {
      // Another host of the domain can set a second one of the same name.
      cookie: `${cookie}; shopper=another; basket="two%20coins"`,
      authorization: 'Bearer abc',
      'x-forwarded-for': '203.0.113.9',
    })
    expect([status, location?.startsWith(`${service.urls.widgetUrl}/widget/?`)]).toEqual([303, true])
    const [call] = shop.calls
    expect(JSON.parse(call?.text ?? '')).toEqual({
      cookies: { shopper: 'shopper-1', private: 'secret-cookie', basket: 'two%20coins' },
      authorization: 'Bearer abc',
      address: '203.0.113.9',
    })
    expect(call?.headers).toMatchObject({
      cookie: expect.stringContaining('shopper-1'),
      authorization: 'Bearer abc',
    })
  })

  test.each(attacks)('refuses %s, and logs why without personal data', async (_, misbehave, expected) => {
    shop.misbehave = misbehave
    const { status } = await launch()
    expect(status).toBe(500)
    expect(failures()).toEqual([expect.stringMatching(expected)])
    expectNothingPersonal()
  })

  test.each(slow)('refuses %s at its deadline', { timeout: 60_000 }, async (_, misbehave) => {
    const authorize = { url: `${shop.url}/authorize`, timeoutMs: 500 }
    const withTimeout = await startServing(shop.url, { authorize })
    shop.misbehave = misbehave
    const { status } = await launchAt(withTimeout.address)
    expect([status, withTimeout.log.at(-1)?.message]).toEqual([
      500,
      'The authorize hook did not answer within 500 ms.',
    ])
    await withTimeout.close()
  })

  test('the hook is called again if the shop closed the connection', async () => {
    let closes = 1
    shop.misbehave = (request, response) => {
      if (closes-- > 0) response.destroy()
      else shop.behave(request, response)
    }
    const { status } = await launch()
    expect([status, failures()]).toEqual([303, []])
  })

  test('a 401 of the authorize hook sends no one to the widget', async () => {
    const { status } = await launch('gold-100', { cookie: '' })
    expect([status, failures()]).toEqual([401, []])
  })

  test.each([
    ['/sign-in', 'https://shop.example/sign-in'],
    ['https://id.example/sign-in?shop=1', 'https://id.example/sign-in?shop=1'],
  ])('a sign-in page that the hook names is linked to: %s', async (named, expected) => {
    shop.misbehave = (request, response) => answer(request, response, { location: named })
    const { status, location } = await launch()
    expect([status, location]).toEqual([303, expected])
  })
})

describe('the createPurchase hook', () => {
  const priced = { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' }
  const sell = (body: unknown): void => {
    shop.misbehave = (request, response) =>
      answer(request, response, request.path === '/authorize' ? { customId: 'shopper-1' } : body)
  }

  test('refuses with the shop’s sentence', async () => {
    const response = await launch('silver')
    expect([response.status, response.text]).toEqual([403, expect.stringContaining('We do not sell that.')])
  })

  test.each([
    ['a price as a number', { params: { ...priced, quote_amount: 0.99 } }],
    ['an unknown field', { params: priced, discount: 1 }],
    ['a shopper’s address', { params: { ...priced, redirect_url: 'https://evil.example' } }],
    ['a return address that runs a script', { params: priced, returnUrl: 'javascript:alert(1)' }],
    ['a time in words', { params: priced, validFor: 'an hour' }],
    ['both a sale and a refusal', { params: priced, refused: 'We do not sell that.' }],
    ['an e-mail address as a field', { params: priced, [email]: true }],
    ['an e-mail address as a parameter', { params: { ...priced, [email]: '' } }],
    ['an e-mail address as an open field', { params: priced, open: [email] }],
  ])('the createPurchase hook is refused if it answers %s', async (_, body) => {
    sell(body)
    const { status } = await launch()
    expect(status).toBe(500)
    expect(failures()).toEqual([expect.stringMatching(/createPurchase/)])
    expectNothingPersonal()
  })
})

describe('the onOrder hook', () => {
  async function buy(): Promise<void> {
    const { location } = await launch()
    const params = Object.fromEntries(new URL(location ?? '').searchParams)
    await service.buy({ ...params, email })
    await ask('/orders')
  }

  /** The ids of the calls about a complete order. */
  const idsOf = (): string[] =>
    shop.calls
      .filter(({ path, text }) => path === '/order' && JSON.parse(text).order.type === 'order_complete')
      .map(({ headers }) => String(headers['webhook-id']))

  test('the onOrder hook receives a paid order once, with how it fits its purchase', async () => {
    await buy()
    await expect.poll(() => [...shop.delivered.values()]).toEqual(['matched'])
    await expect
      .poll(() => serving.log.find(({ event }) => event === 'order_handled'))
      .toMatchObject({ state: 'matched' })
    expectNothingPersonal()
  })

  test.each<[string, Misbehaviour]>([
    ['500', (_, response) => response.writeHead(500).end()],
    ['a 200 that nobody signed', (_, response) => response.writeHead(200).end()],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/' }).end()],
    ['an old answer', resign(minutesAgo(6))],
    ['no answer', () => {}],
  ])('the onOrder hook is called again with the same id after %s', async (_, fail) => {
    let fails = 1
    shop.misbehave = (request, response) => {
      if (request.path === '/order' && fails-- > 0) fail(request, response)
      else shop.behave(request, response)
    }
    await buy()
    await expect.poll(() => idsOf().length, { timeout: 30_000 }).toBeGreaterThan(1)
    expect(new Set(idsOf()).size).toBe(1)
    expectNothingPersonal()
  })
})

describe('doctor --serve', () => {
  const check = (hooks: string): Promise<Checkup[]> => checkHooks(settingsFor(hooks, tmpdir()))

  test('doctor --serve accepts a shop that verifies calls and signs answers, and delivers nothing', async () => {
    const rows = await check(shop.url)
    expect(rows.map(({ result }) => result)).toEqual(Array(9).fill('ok'))
    expect([...shop.delivered]).toEqual([])
  })

  test('doctor --serve names the hook that answers unsigned and old calls, and does not take the 401 of authorize for a refusal', async () => {
    shop.misbehave = (call, response) => shop.behave(call, response)
    const found = await check(shop.url)
    expect(found.filter(({ result }) => result === 'failed').map(({ name }) => name)).toEqual(
      ['createPurchase', 'onOrder'].flatMap((hook) => [
        `${hook}: an unsigned call`,
        `${hook}: a call of ten minutes ago`,
      ]),
    )
    // A hook that answers 401 to everyone may have verified nothing.
    const rows = found.filter(({ name }) => name.startsWith('authorize') && !name.endsWith('of the service'))
    expect(rows).toEqual(
      Array(2).fill(
        expect.objectContaining({ result: 'note', detail: expect.stringContaining('Answer 403') }),
      ),
    )
  })

  test('doctor --serve waits for no end of a refusal', async () => {
    shop.misbehave = (call, response) => {
      // A genuine call is signed, now.
      const seconds = Date.now() / 1_000 - Number(call.headers['webhook-timestamp'] ?? 0)
      if (seconds < 300) shop.behave(call, response)
      else response.writeHead(403).write('No')
    }
    expect((await check(shop.url)).map(({ result }) => result)).toEqual(Array(9).fill('ok'))
  })

  test.each([
    ['params', { params: { product_id: 'doctor', quote: 'USD', quote_amount: 9 } }],
    ['validFor', { params: { product_id: 'doctor', quote: 'USD', quote_amount: '9' }, validFor: 'an hour' }],
    ['returnUrl', { params: { product_id: 'doctor', quote: 'USD', quote_amount: '9' }, returnUrl: 5 }],
  ])('doctor --serve names a wrong %s of createPurchase', async (field, sold) => {
    shop.misbehave = (request, response) => {
      if (request.path === '/purchase' && request.headers['webhook-id']) answer(request, response, sold)
      else shop.behave(request, response)
    }
    const row = (await check(shop.url)).find(({ name }) => name === 'createPurchase: a call of the service')
    expect(row).toMatchObject({ result: 'failed', detail: expect.stringContaining(field) })
  })

  test('doctor --serve names the hook whose answers are not signed', async () => {
    shop.misbehave = ({ headers }, response) =>
      response.writeHead(headers['webhook-id'] ? 200 : 403).end('{}')
    const rows = (await check(shop.url)).filter(({ name }) => name.endsWith('of the service'))
    expect(rows).toEqual(
      Array(3).fill(expect.objectContaining({ detail: expect.stringContaining('not signed') })),
    )
  })
})

describe('a hook host that is down', () => {
  test('a hook host that is down leaves return pages, the status of purchases and health checks working', async () => {
    const away = await startHookShop()
    const other = await startServing(away.url)
    const { location } = await launchAt(other.address)
    const back = new URL(location ?? '').searchParams.get('redirect_url') ?? ''
    const id = back.split('/').pop() ?? ''
    await away.close()
    const returned = await askAt(other.address, `/return/${id}`)
    const known = await askAt(other.address, `/purchases/${id}`)
    expect([returned.status, known.status, JSON.parse(known.text)]).toEqual([
      200,
      200,
      expect.objectContaining({ status: 'none' }),
    ])
    for (const path of ['/healthz', '/readyz']) expect((await fetch(other.address + path)).status).toBe(200)
    await other.close()
  })

  test('a hook host that is down fills no memory: calls beyond 256 are refused at once', async () => {
    const silent = await listen(() => {})
    const other = await startServing(silent.url, {
      authorize: { url: `${silent.url}/authorize`, timeoutMs: 60_000 },
    })
    const all = Array.from({ length: 300 }, (_, at) =>
      askAt(other.address, '/orders', { 'x-forwarded-for': `203.0.113.${at % 10}` }).then(
        ({ status }) => status,
      ),
    )
    await expect
      .poll(() => other.log.filter(({ message }) => /256 calls are waiting/.test(String(message))).length)
      .toBe(44)
    await silent.close()
    expect(new Set(await Promise.all(all))).toEqual(new Set([500]))
    await other.close()
  })

  test('calls of one address that wait for the authorize hook leave places to shoppers at others', async () => {
    const other = await startServing(shop.url)
    const waiting: ServerResponse[] = []
    shop.misbehave = (request, response) => {
      if (JSON.parse(request.text).cookies?.shopper === 'nobody') waiting.push(response)
      else shop.behave(request, response)
    }
    const strangers = Array.from({ length: 300 }, () =>
      askAt(other.address, '/orders', { cookie: 'shopper=nobody', 'x-forwarded-for': '203.0.113.1' }),
    )
    const refused: number[] = []
    for (const stranger of strangers) void stranger.then(({ status }) => refused.push(status))
    await expect.poll(() => refused, { timeout: 15_000 }).toEqual(Array(236).fill(429))
    expect(waiting).toHaveLength(64)
    const { status } = await launchAt(other.address, 'gold-100', { 'x-forwarded-for': '203.0.113.2' })
    expect(status).toBe(303)
    // A purchase's status can be read without a session, which is no failure.
    const asked = await askAt(other.address, '/purchases/AAAAAAAAAAAAAAAAAAAAAA', {
      'x-forwarded-for': '203.0.113.1',
    })
    expect(asked.status).toBe(200)
    expect(other.log.filter(({ event }) => event === 'failure')).toEqual([])
    for (const response of waiting) response.writeHead(401).end()
    const answers = await Promise.all(strangers)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(64)
    expect(answers.find(({ status }) => status === 429)?.retryAfter).toBe('1')
    const again = await askAt(other.address, '/orders', { 'x-forwarded-for': '203.0.113.1' })
    expect(again.status).toBe(200)
    await other.close()
  })
})

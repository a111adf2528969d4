// Promise: token/no-secret-out
/** Keys, tokens and personal data appear only in results: not in logs, errors, stacks or the client itself. */
import { inspect } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { recordFigure } from '../../../../scripts/proof.ts'
import { type CallLog, createPurchaseClient, createTokenLease } from '../../src/index.ts'
import { companionOf, get, post } from '../support/companion.ts'
import { listen } from '../support/http.ts'
import { newUser } from '../support/service.ts'
import { everyOperation } from './everyOperation.ts'

const canaries = {
  apiKey: 'CANARY-api-key-7f3a',
  secretKey: 'CANARY-secret-key-9c1d',
  accessToken: 'CANARY-token/+=5b2e',
  email: 'canary.person@example.com',
  street: 'CANARY Street 1',
}

const words = Object.values(canaries).flatMap((value) => [value, encodeURIComponent(value)])

/** Answers of the service: each echoes all that it can. */
const echo = JSON.stringify({ ...canaries, note: Object.values(canaries).join(' ') })
const answers = {
  success: { status: 200, body: null },
  'refused with 4xx': {
    status: 400,
    body: `{"error":true,"message":"bad ${Object.values(canaries).slice(0, 4).join(' ')}"}`,
  },
  'failed with 5xx': {
    status: 500,
    body: `{"error":{"message":"${canaries.secretKey} ${canaries.email}"},"data":${echo}}`,
  },
  'refused under 200': { status: 200, body: `{"data":{"error":true,"message":"${canaries.apiKey}"}}` },
  'another shape': { status: 200, body: `{"unexpected":[${echo}]}` },
  'bad JSON': { status: 200, body: `{"email":"${canaries.email}","token":"${canaries.accessToken}` },
  HTML: { status: 502, body: `<h1>${canaries.secretKey} ${canaries.street}</h1>` },
  'nothing in time': { status: 0, body: null },
  'a broken connection': { status: -1, body: null },
  'a redirect': { status: 302, body: echo },
} as const

const good: Record<string, unknown> = {
  access_token: { accessToken: canaries.accessToken },
  expire_date: { expire_date: '2030-01-01T00:00:00.000Z' },
  order_history: [{ id: 'o', type: 'order_complete', email: canaries.email, street: canaries.street }],
  user_subscription: { user_id: 'u', product_id: 'p' },
  data: {
    id: 'o',
    type: 'order_complete',
    email: canaries.email,
    street: canaries.street,
    custom_id: 'shopper-1',
  },
  create_widget_user: { error: false, message: 'ok', data: { id: 'i', user_id: 'u' } },
  fetch_user_details: { data: { error: false, data: { user_id: 'u', phone: canaries.email } } },
}

let answer: { status: number; body: string | null } = answers.success
const service = await listen((request, response) => {
  const { status, body } = answer
  if (status === 0) return
  if (status === -1) return void request.socket.destroy()
  const path = new URL(request.url ?? '/', 'http://x').pathname.split('/').at(-1) ?? ''
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 302 ? { location: `/?accessToken=${encodeURIComponent(canaries.accessToken)}` } : {}),
  })
  response.end(body ?? JSON.stringify(good[path]))
})
afterAll(() => service.close())

/** Every way in which an error or an object may end up in a log. */
const renderings = (value: unknown): string[] => {
  const all: unknown[] = [
    inspect(value, { depth: 20, showHidden: true, getters: true }),
    JSON.stringify(value),
    JSON.stringify(value, Object.getOwnPropertyNames(Object(value))),
    String(value),
  ]
  for (let error = value; error instanceof Error; error = error.cause) {
    all.push(error.message, error.stack, inspect(error), String(error))
  }
  return all.map(String)
}

test('no canary in log lines, errors, stacks, inspect or JSON', async () => {
  const logs: CallLog[] = []
  const errors: unknown[] = []
  const client = createPurchaseClient({
    widgetUrl: service.url,
    widgetApiUrl: service.url,
    baseUrl: service.url,
    apiKey: canaries.apiKey,
    secretKey: canaries.secretKey,
    timeoutMs: 150,
    logger: (entry) => logs.push(entry),
  })
  const tokens = createTokenLease({ client })
  const companion = companionOf(client, { tokens, onError: (error) => errors.push(error) })
  const inputs = {
    accessToken: canaries.accessToken,
    email: canaries.email,
    order_id: canaries.street,
    custom_id: canaries.email,
    user: { ...newUser, email: canaries.email },
  }
  const texts: string[] = []
  let situations = 0

  for (answer of Object.values(answers)) {
    for (const call of Object.values(everyOperation(client, inputs))) {
      situations++
      await call().catch((error: unknown) => errors.push(error))
    }
    for (const request of [
      get('/orders', 'shopper-1'),
      get('/orders/o', 'shopper-1'),
      get('/user', 'shopper-1:u'),
    ]) {
      const response = await companion.fetch(request)
      texts.push(await response.text())
    }
    const refused = await companion.fetch(post('/user', { email: canaries.email }, 'shopper-1'))
    texts.push(await refused.text())
  }
  await client.orders
    .list({ accessToken: canaries.accessToken, order_id: 7 } as never)
    .catch((e: unknown) => errors.push(e))

  texts.push(...[logs, client, tokens, companion, ...errors].flatMap(renderings))
  const hits = texts.filter((text) => words.some((word) => text.includes(word)))
  recordFigure(
    'canaries found in log lines, errors, stacks, inspect and JSON',
    `${hits.length} in ${texts.length} texts of ${situations} calls`,
  )
  expect(errors.length).toBeGreaterThan(50)
  expect(logs.length).toBeGreaterThanOrEqual(situations)
  expect(hits).toEqual([])
})

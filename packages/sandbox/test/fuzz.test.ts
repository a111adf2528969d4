// Promise: sandbox/hostile-requests
/** Invalid input of every kind: no 500 response, no crash, and a refusal that names the problem. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { proofRuns, recordFigure } from '../../../scripts/proof.ts'
import { controlOperations, operations } from '../src/http/operations.ts'
import { type Answer, type Service, test, validUser } from './support/service.ts'

interface Generated {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  text: string | undefined
}

/** Names and values that some operation accepts, so that requests pass the first check. */
const names = [
  ...'api_key accessToken expirationDays order_id custom_id hash product_id user_id'.split(' '),
  ...'operation kind count forMs latencyMs status retryAfter url payload now advanceSeconds'.split(' '),
  ...'low full crypto digital_goods params card_number coop paymentMs tokenResponse'.split(' '),
  ...'__proto__ constructor toString'.split(' '),
  ...Object.keys(validUser),
]
const values = [
  ...'30|infinite|| |*|getOrderHistory|latency|http://127.0.0.1:9/'.split('|'),
  ...'2030-02-30|2026-12-24T00:00:00Z|1e308|-0|0.00|99999999999999999999'.split('|'),
  "' or 1=1 --",
  '\u0000',
  '\ud800',
  '💳'.repeat(50),
  'x'.repeat(5000),
  ...Object.values(validUser),
]

const text = fc.oneof(fc.constantFrom(...values), fc.string({ unit: 'binary' }))
const { json } = fc.letrec<{ json: unknown; object: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), tie('json'), { maxKeys: 6 }),
}))
const meaningful = fc.dictionary(fc.constantFrom(...names), json, { maxKeys: 8 })
const body = fc.oneof(
  { weight: 6, arbitrary: meaningful.map((value) => JSON.stringify(value)) },
  { weight: 3, arbitrary: json.map((value) => JSON.stringify(value) ?? '') },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: fc.constant(undefined) },
)

const targets = [...operations, ...controlOperations]

const jsonType = 'application/json'

/** Placeholder for a live token, which changes during a run. */
const liveToken = 'a live token'

const requestsTo = (service: Service): fc.Arbitrary<Generated> =>
  fc
    .record({
      target: fc.constantFrom(...targets),
      id: fc.oneof(fc.constant('1'), fc.string({ unit: 'grapheme' })),
      query: fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.constant(liveToken), text), {
        maxKeys: 4,
      }),
      headers: fc.record(
        {
          'api-key': fc.constantFrom(service.apiKey, service.apiKey, 'wrong', ''),
          'secret-key': fc.constantFrom(service.secretKey, service.secretKey, 'wrong'),
          'Content-Type': fc.constantFrom(
            jsonType,
            jsonType,
            `${jsonType}; charset=utf-8`,
            'text/plain',
            `${jsonType}-seq`,
          ),
        },
        { requiredKeys: [] },
      ),
      body,
      withKey: fc.boolean(),
    })
    .map(({ target, id, query, headers, body, withKey }) => ({
      method: target.method.toUpperCase(),
      path: target.path.replace(/:\w+/, () => encodeURIComponent(id)),
      query,
      headers: { 'Content-Type': jsonType, ...headers },
      text: target.body ? (withKey ? withApiKey(body, service.apiKey) : body) : undefined,
    }))

/** Lets half of the requests to the user operations pass the key check. */
function withApiKey(text: string | undefined, api_key: string): string | undefined {
  if (!text?.startsWith('{')) return text
  return JSON.stringify({ ...JSON.parse(text), api_key })
}

/** A random fault, switch change or reset would stop later requests early. */
const spoilsTheRest = /faults|switches|reset/

function complaint({ status, body }: Answer<unknown>): string | null {
  if (status >= 500) return `answered ${status}`
  if (status < 400) return null
  const { error, message } = body as { error?: unknown; message?: unknown }
  if (error !== true) return 'error is not true'
  if (typeof message !== 'string' || message.length < 10) return 'there is no message'
  return status === 400 && !/^.+: ./.test(message) ? `"${message}" names no field` : null
}

test('every operation and control refuses invalid input with a message, never with a 500', async ({
  service,
  sandbox,
}) => {
  const runs = proofRuns(10_000, 300)
  const statuses = new Map<number, number>()
  let accessToken = await service.token('infinite')
  await fc.assert(
    fc.asyncProperty(requestsTo(service), async ({ method, path, query, headers, text }) => {
      const search = new URLSearchParams(query).toString().replaceAll('a+live+token', accessToken)
      const answer = await service.send<unknown>(method, `${sandbox.urls.baseUrl}${path}?${search}`, {
        headers,
        ...(text !== undefined && { text }),
      })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      expect(complaint(answer)).toBeNull()
      if (answer.status < 300 && spoilsTheRest.test(path)) {
        sandbox.reset()
        accessToken = await service.token('infinite')
      }
    }),
    { numRuns: runs, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
  )
  expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 400, 401, 404]))
  recordFigure(`sandbox: answers of 500 to ${runs} generated requests`, 0)
}, 300_000)

/** The doctor before servers that are not the service, refuse in other ways than it, or say nothing. */
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Checkup, type PurchaseClientOptions, runDoctor } from '../src/index.ts'
import { listen } from './support/http.ts'
import { type Service, startService } from './support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterAll(() => service.close())

const diagnose = (options: Partial<PurchaseClientOptions> = {}, createTokens = true) =>
  runDoctor({ client: service.client({ maxRetries: 0, ...options }), createTokens })

const namesOf = (checks: Checkup[], wanted: Checkup['result']): string[] =>
  checks.filter(({ result }) => result === wanted).map(({ name }) => name)

const answer =
  (status: number, type: string, body: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': type }).end(body)

describe.each([
  ['404 with HTML', answer(404, 'text/html', '<!DOCTYPE html><title>Not found</title>')],
  ['404 with JSON of its own', answer(404, 'application/json', '{"detail":"Not Found"}')],
  ['404 with nothing', answer(404, 'text/plain', '')],
  ['403 with HTML', answer(403, 'text/html', '<html><h1>Forbidden</h1></html>')],
  ['200 with HTML', answer(200, 'text/html', '<!DOCTYPE html><title>Welcome</title>')],
  ['200 with {}', answer(200, 'application/json', '{}')],
])('a server that answers %s', (_, handler) => {
  test.each([
    ['baseUrl', 'PURCHASE_BASE_URL', ['transaction lookup', 'subscription lookup', 'user operations']],
    ['userBaseUrl', 'PURCHASE_USER_BASE_URL', ['user operations']],
    ['widgetApiUrl', 'PURCHASE_WIDGET_API_URL', ['access token']],
  ])('is no service at %s: look at %s', async (option, variable, expected) => {
    const other = await listen(handler)
    const { checks, healthy } = await diagnose({ [option]: other.url })
    await other.close()
    expect(namesOf(checks, 'failed')).toEqual(expected)
    for (const { detail } of checks.filter(({ result }) => result === 'failed')) {
      expect(detail).toContain(variable)
      expect(detail).not.toContain('permission')
    }
    expect(healthy).toBe(false)
  })

  test('is no service either when no token may be created', async () => {
    const other = await listen(handler)
    const { checks } = await diagnose({ widgetApiUrl: other.url }, false)
    await other.close()
    expect(namesOf(checks, 'failed')).toEqual(['token operations'])
    expect(checks.find(({ name }) => name === 'token operations')?.detail).toContain(
      'PURCHASE_WIDGET_API_URL',
    )
  })
})

test.each([
  ['text', answer(404, 'text/plain', '404 page not found')],
  ['JSON', answer(404, 'application/json', '{"statusCode":404,"message":"Cannot POST","error":"Not Found"}')],
])('a refusal in words that may be another server’s is a note: %s', async (_, handler) => {
  const other = await listen(handler)
  const { checks } = await diagnose({ baseUrl: other.url })
  await other.close()
  expect(namesOf(checks, 'note')).toEqual(
    expect.arrayContaining(['transaction lookup', 'subscription lookup', 'user operations']),
  )
  expect(checks.find(({ name }) => name === 'transaction lookup')?.detail).toContain('PURCHASE_BASE_URL')
})

describe('a refusal of the service (U6)', () => {
  const lookups = ['transaction lookup', 'subscription lookup', 'user operations']

  test.each(['status', 'ok', 'okNested'])('is an answer: %s', async (errorShape) => {
    for (const createTokens of [true, false]) {
      await service.control('PATCH', '/switches', { errorShape })
      const { checks, healthy } = await diagnose({}, createTokens)
      expect(namesOf(checks, 'ok')).toEqual(expect.arrayContaining(lookups))
      if (!createTokens) expect(namesOf(checks, 'ok')).toContain('token operations')
      expect(healthy).toBe(true)
    }
  })

  test.each([
    [true, lookups],
    [false, ['token operations', ...lookups]],
  ])('as text is a note, with tokens created: %s', async (createTokens, expected) => {
    await service.control('PATCH', '/switches', { errorShape: 'text' })
    const { checks, healthy } = await diagnose({}, createTokens)
    expect(namesOf(checks, 'note')).toEqual(expect.arrayContaining(expected))
    expect(healthy).toBe(true)
  })

  test('of the key is a failure, in words as well', async () => {
    for (const errorShape of ['status', 'text']) {
      await service.control('PATCH', '/switches', { errorShape, keyPermission: 'missing' })
      const { checks } = await diagnose()
      expect(namesOf(checks, 'failed')).toEqual(['transaction lookup', 'subscription lookup'])
      const { checks: withWrongKey } = await diagnose({ apiKey: 'wrong' }, false)
      expect(namesOf(withWrongKey, 'failed')).toEqual(lookups)
    }
  })
})

test('a service that answers one operation and is silent at another is asked no more', async () => {
  await service.control('POST', '/faults', { operation: 'getTokenExpiry', kind: 'stall' })
  const started = performance.now()
  const { checks } = await diagnose()
  expect(performance.now() - started).toBeLessThan(20_000)
  expect(namesOf(checks, 'failed')).toEqual(['token expiry'])
  expect(checks.find(({ name }) => name === 'token expiry')?.detail).toContain('PURCHASE_WIDGET_API_URL')
  expect(await service.count('createAccessToken')).toBe(1)
})

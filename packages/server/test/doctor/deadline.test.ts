// Promise: doctor/late
/** What the doctor says of those who do not answer, and how long it waits for them. */
import { EventEmitter, once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { type Checkup, type PurchaseClientOptions, runDoctor } from '../../src/index.ts'
import { fakeTimers } from '../support/fakeTimers.ts'
import { serverUntilTheEnd, serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()

const diagnose = async (options: Partial<PurchaseClientOptions>, companion?: string): Promise<Checkup[]> =>
  (await runDoctor({ client: service.client(options), createTokens: true, companion })).checks

test('when the service stalls after its first answer, the end comes after eight seconds', async () => {
  const asked = new EventEmitter()
  const paths: string[] = []
  const silent = await serverUntilTheEnd(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://silent')
    paths.push(pathname)
    if (pathname === '/api/widget/refresh/access_token') response.end('{"accessToken":"a-token"}')
    else asked.emit(pathname)
  })
  const all = ['/api/widget/refresh/access_token/expire_date', '/api/pw/launch'].map((path) =>
    once(asked, path),
  )
  const page = once(asked, '/widget/')
  const addresses = { widgetUrl: silent, widgetApiUrl: silent, baseUrl: silent }
  fakeTimers()
  const startedAt = performance.now()
  const diagnosed = diagnose({ ...addresses, timeoutMs: 5_000 }, `${silent}/api/pw`)
  await Promise.all(all)
  await vi.advanceTimersByTimeAsync(5_000)
  await page
  await vi.advanceTimersByTimeAsync(3_000)
  const [token, ...checks] = await diagnosed
  expect(performance.now() - startedAt).toBe(8_000)
  expect(token).toMatchObject({ name: 'access token', result: 'ok' })
  const ofService = /check that this server can reach it/
  const expected: [name: string, setting: string, remedy: RegExp][] = [
    ['token expiry', 'PURCHASE_WIDGET_API_URL', ofService],
    ['transaction lookup', 'PURCHASE_BASE_URL', ofService],
    ['subscription lookup', 'PURCHASE_BASE_URL', ofService],
    ['user operations', 'PURCHASE_BASE_URL', ofService],
    ['widget page', 'PURCHASE_WIDGET_URL', /Set PURCHASE_WIDGET_URL/],
    ['companion', '--companion', /see whether the server runs/],
  ]
  expect(checks).toMatchObject(
    expected.map(([name, setting, remedy]) => ({
      ...{ name, result: 'failed', setting, status: null },
      address: expect.stringContaining(silent),
      remedy: expect.stringMatching(remedy),
    })),
  )
  expect(checks[4]?.detail).toBe('no answer within 3 s')
  // A service that is silent at one operation is not asked for another token.
  expect(paths.filter((path) => path === '/api/widget/refresh/access_token')).toHaveLength(1)
})

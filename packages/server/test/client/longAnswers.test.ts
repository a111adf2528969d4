// Promise: client/long-answers
/** An answer of any length costs no more memory than an allowed one, and its connection is closed. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPurchaseClient, type PurchaseClient } from '../../src/index.ts'
import { type Listening, listen } from '../support/http.ts'
import { settings } from '../support/settings.ts'

const MIB = 1_048_576
const WHOLE = 200 * MIB
const chunk = Buffer.alloc(MIB, ' ')

let service: Listening
let status: number
let sent: number

/** Sends 200 MiB as fast as they are read. */
function pour(response: ServerResponse): void {
  const more = (): void => {
    while (sent < WHOLE && !response.destroyed) {
      sent += chunk.length
      if (!response.write(chunk)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}

beforeAll(async () => {
  service = await listen((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    pour(response)
  })
})
beforeEach(() => {
  sent = 0
})
afterAll(() => service.close())

const calls: [name: string, mib: number, call: (client: PurchaseClient) => Promise<unknown>][] = [
  ['accessTokens.create', 1, ({ accessTokens }) => accessTokens.create()],
  ['transactions.retrieve', 1, ({ transactions }) => transactions.retrieve({ order_id: 'a' })],
  ['orders.list', 16, ({ orders }) => orders.list({ accessToken: 'token', custom_id: 'ada' })],
  ['orders.listAll', 128, ({ orders }) => orders.listAll({ accessToken: 'token' })],
  ['subscriptions.list', 16, ({ subscriptions }) => subscriptions.list({ user_id: 'ada' })],
  ['users.retrieve', 1, ({ users }) => users.retrieve({ user_id: 'ada' })],
]

/** The buffers of a connection between two processes. */
const BUFFERED = 8 * MIB

const client = (): PurchaseClient =>
  createPurchaseClient({
    ...settings,
    widgetApiUrl: service.url,
    baseUrl: service.url,
    maxRetries: 0,
    // A busy machine takes seconds for 128 MiB.
    timeoutMs: 60_000,
  })

test.each(calls)('%s reads at most %i MiB of an answer of 200', async (_, mib, call) => {
  status = 200
  await expect(call(client())).rejects.toMatchObject({
    name: 'UnexpectedResponseError',
    message: expect.stringContaining(`more than ${mib * MIB} bytes`),
  })
  expect(sent).toBeLessThanOrEqual(mib * MIB + BUFFERED)
})

test.each(calls)(
  '%s reads at most 64 KiB of a refusal of 200 MiB, and keeps its status',
  async (_, __, call) => {
    status = 404
    await expect(call(client())).rejects.toMatchObject({ name: 'ApiError', status: 404, refusedBy: 'other' })
    expect(sent).toBeLessThanOrEqual(BUFFERED)
  },
)

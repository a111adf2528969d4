// Promise: companion/log
/** Whoever listens on `diagnostics_channel` sees start and end of operations, leases and jobs, and no value. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTokenLease, memoryStore, type Order } from '../../src/index.ts'
import { openInstance } from '../support/shop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let heard: { channel: string; span: object; text: string }[]

beforeEach(() => {
  heard = []
  for (const channel of channels) subscribe(channel, listen)
})
afterEach(() => {
  for (const channel of channels) unsubscribe(channel, listen)
})

const channels = ['operation', 'lease', 'fulfilment'].flatMap((kind) =>
  ['start', 'end'].map((moment) => `purchase-widget:${kind}:${moment}`),
)

const listen = (span: unknown, channel: string | symbol): void => {
  heard.push({ channel: String(channel), span: span as object, text: JSON.stringify(span) })
}

test('an operation is published at its start and end, without values', async () => {
  const client = service.client()
  await client.accessTokens.create()
  await client.transactions.retrieve({ order_id: 'secret-order' }).catch(() => {})
  expect(heard.map(({ channel, text }) => [channel, text])).toEqual([
    ['purchase-widget:operation:start', '{"name":"accessTokens.create"}'],
    ['purchase-widget:operation:end', '{"name":"accessTokens.create"}'],
    ['purchase-widget:operation:start', '{"name":"transactions.retrieve"}'],
    ['purchase-widget:operation:end', '{"name":"transactions.retrieve","error":"ApiError"}'],
  ])
  expect(heard[0]?.span).toBe(heard[1]?.span)
  expect(heard[1]?.span).not.toBe(heard[2]?.span)
})

test('a refresh that several callers wait for is published once', async () => {
  const lease = createTokenLease({ client: service.client() })
  const tokens = await Promise.all([lease.get(), lease.get(), lease.get()])
  const leases = heard.filter(({ channel }) => channel.includes(':lease:'))
  expect(leases.map(({ channel }) => channel)).toEqual([
    'purchase-widget:lease:start',
    'purchase-widget:lease:end',
  ])
  expect(JSON.stringify(heard)).not.toContain(tokens[0]?.accessToken)
})

test('a job and the failure of its onOrder are published', async () => {
  const order: Order = await service.buy({ product_id: 'gold-100', custom_id: 'ada' })
  const { webhook } = openInstance(service.client(), memoryStore(), {
    onOrder: () => {
      throw new TypeError(`no shelf for ${order.email}`)
    },
  })
  expect(await webhook(order.id)).toBe(202)
  const jobs = (): string[] =>
    heard.filter(({ channel }) => channel.includes(':fulfilment:')).map(({ text }) => text)
  await expect.poll(jobs).toEqual(['{"name":"trusted"}', '{"name":"trusted","error":"TypeError"}'])
  expect(JSON.stringify(heard)).not.toContain(order.id)
})

// Promise: launch/ticket
/** A ticket: for how long it is good, where, and what it may not be changed to. */
import { expect, test } from 'vitest'
import { createPurchaseClient } from '../../src/index.ts'
import { createTickets, type Ticket } from '../../src/purchase/ticket.ts'
import { settings } from '../support/settings.ts'

const id = 'AbCdEfGhIjKlMnOpQrSt_-'
const url = 'https://shop.example/api/purchase-widget'

test('a ticket is good for one minute, at one companion, and as it was given', async () => {
  let now = 1_000_000
  const tickets = createTickets({ client: createPurchaseClient(settings), now: () => now })
  const issued = {
    purchaseId: id,
    params: { product_id: 'gold', custom_id: 'ada' },
    origin: 'https://shop.example',
    shopper: { customId: 'ada', userId: 'U1' },
  }
  const ticket = await tickets.issue(url, issued)
  expect(await tickets.read(url, ticket)).toEqual({ ticket: issued, hasEnded: false })
  const ofApp = { purchaseId: id, params: {}, origin: null, shopper: { userId: 'U1' } }
  expect(await tickets.read(url, await tickets.issue(url, ofApp))).toEqual({ ticket: ofApp, hasEnded: false })
  expect(await tickets.read(`${url}/other`, ticket)).toBeNull()
  const others = createTickets({
    client: createPurchaseClient({ ...settings, secretKey: 'another' }),
    now: () => now,
  })
  expect(await others.read(url, ticket)).toBeNull()
  const [header = '', signed = '', signature = ''] = ticket.split('.')
  const unsigned = btoa('{"alg":"none","typ":"JWT"}').replaceAll('=', '')
  for (const changed of [
    '',
    '..',
    `${header}.${signed}`,
    `${header}.${signed}.`,
    `${unsigned}.${signed}.`,
    `${header}..${signature}`,
    `${header}.x${signed}.${signature}`,
    `${header}.${signed}.${signed}`,
    '%.%.%',
  ])
    expect(await tickets.read(url, changed), changed).toBeNull()
  expect(await tickets.read(url, `${'x'.repeat(32_768)}.x`)).toBeNull()
  now += 59_999
  expect((await tickets.read(url, ticket))?.hasEnded).toBe(false)
  now += 1
  expect((await tickets.read(url, ticket))?.hasEnded).toBe(true)
})

test('a ticket is read up to a length that addresses may have, and no longer', async () => {
  const tickets = createTickets({ client: createPurchaseClient(settings), now: () => 1_000_000 })
  const ticketWith = (length: number): Ticket => ({
    purchaseId: id,
    params: { text: 'x'.repeat(length) },
    origin: null,
    shopper: { userId: 'U1' },
  })
  for (const [length, isRead] of [
    [24_000, true],
    [25_000, false],
  ] as const) {
    const issued = ticketWith(length)
    const read = await tickets.read(url, await tickets.issue(url, issued))
    expect(read).toEqual(isRead ? { ticket: issued, hasEnded: false } : null)
  }
})

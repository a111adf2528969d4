/** A page that was reloaded while its shopper paid, with a companion that answers what the test says. */
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { settle } from './measure.ts'

export const companion = '/companion-of-the-test'
const order = { id: 'o1', type: 'order_complete', decline: null }
export const pending = { status: 'pending', fresh: true, order: { ...order, type: 'payment_started' } }
export const complete = { status: 'complete', fresh: true, state: 'matched', order }
export const failed = { ...complete, status: 'failed', order: { ...order, type: 'order_failed' } }
export const success = { status: 'success', verified: true, order }

/** What the companion answers about every purchase; undefined while it is unreachable. And the number of calls for a new purchase. */
export const server: { answer: object | undefined; begun: number } = { answer: undefined, begun: 0 }

/** The tab has stored a purchase. */
export const storePurchase = (): void =>
  sessionStorage.setItem('purchase-widget', `${crypto.randomUUID()} ${Date.now()}`)

/** Before each test of the file, the page is reloaded. */
export function reloadBeforeEach(): void {
  beforeEach(() => {
    server.begun = 0
    storePurchase()
    vi.spyOn(window, 'fetch').mockImplementation(async (input) => {
      if (`${input}`.endsWith('/launch')) server.begun++
      return server.answer ? Response.json(server.answer) : new Response('', { status: 503 })
    })
  })

  afterEach(async () => {
    cleanup()
    vi.restoreAllMocks()
    sessionStorage.clear()
    await settle()
  })
}

/** The number of messages that a payment is being processed. */
export const bars = (): number =>
  [...document.querySelectorAll('div')].filter(({ shadowRoot }) => shadowRoot?.querySelector('[part=bar]'))
    .length

export const buttons = (): (string | undefined)[] =>
  screen.getAllByRole('button').map(({ dataset }) => dataset.status)

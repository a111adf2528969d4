/** Tickets for `/launch`: signed, for one purchase, one minute, one companion, and the page that requested it. No session is needed. */
import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { timingSafeEqual } from 'hono/utils/buffer'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Shopper } from './shopper.ts'

export interface Ticket {
  readonly purchaseId: string
  /** The widget's parameters. */
  readonly params: Record<string, string>
  /** Origin of the page that requested it; null for an app. */
  readonly origin: string | null
  readonly shopper: Shopper
}

interface Content {
  readonly url: string
  /** Epoch milliseconds. */
  readonly until: number
  readonly ticket: Ticket
}

export type Tickets = ReturnType<typeof createTickets>

const MINUTE = 60_000
const MAX_LENGTH = 32_768

export function createTickets({
  client,
  now,
}: {
  client: Pick<PurchaseClient, 'deriveKey'>
  now: () => number
}) {
  const key = client.deriveKey('launch ticket')
  /** Not with the Web Crypto API, which hands even so short a text to another thread. */
  const signatureOf = (encoded: string): string =>
    createHmac('sha256', key).update(encoded).digest('base64url')
  return {
    /** @param url the companion's address: another companion may have the same keys. */
    issue(url: string, ticket: Ticket): string {
      const content: Content = { url, until: now() + MINUTE, ticket }
      const encoded = Buffer.from(JSON.stringify(content)).toString('base64url')
      return `${encoded}.${signatureOf(encoded)}`
    },
    /** Null for a ticket that was changed, belongs to another companion, or is malformed. */
    async read(url: string, text: string): Promise<{ ticket: Ticket; hasEnded: boolean } | null> {
      if (text.length > MAX_LENGTH) return null
      const [encoded = '', signature = '', ...more] = text.split('.')
      if (more.length > 0 || !(await timingSafeEqual(signature, signatureOf(encoded)))) return null
      const content = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as Content
      return content.url === url ? { ticket: content.ticket, hasEnded: now() >= content.until } : null
    },
  }
}

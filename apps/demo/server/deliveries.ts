/** Records what the shop has delivered and what it holds for review, in the same file as the companion's store. */
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { Difference, OrderEvent, PurchaseState } from '@purchase-widget/server'
import type { Fulfilled, Step } from '../exchange.ts'
import type { Journal } from './story.ts'

export interface Deliveries {
  /** Delivers a paid order, in one transaction with the companion's idempotency record. */
  deliver(event: OrderEvent): void
  /** Holds a paid order that does not match what was sold, for review by a person. */
  hold(event: OrderEvent): void
  of(shopper: string): Fulfilled
  /** The key that signs session cookies; created once, so that sessions survive a restart. */
  readonly secret: string
  close(): void
}

export function openDeliveries(file: string, journal: Journal): Deliveries {
  const database = new DatabaseSync(file)
  database.exec(`
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS fulfilled (order_id TEXT PRIMARY KEY, shopper TEXT NOT NULL, outcome TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `)
  const insert = database.prepare(
    'INSERT INTO fulfilled (order_id, shopper, outcome) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const select = database.prepare('SELECT order_id FROM fulfilled WHERE shopper = ? AND outcome = ?')

  function keep({ order, purchase }: OrderEvent, outcome: keyof Fulfilled): void {
    const shopper = order.custom_id ?? ''
    if (insert.run(order.id, shopper, outcome).changes === 0) return
    const tone = outcome === 'delivered' ? 'good' : 'bad'
    const tell = (step: Omit<Step, 'from' | 'to' | 'tone'>): void =>
      journal.note({ from: 'server', to: 'server', tone, ...step }, { shopper })
    tell({ text: verdictOf(purchase), call: purchase.state })
    tell({ text: outcome === 'delivered' ? 'Delivers' : 'Does not deliver' })
  }

  const idsOf = (shopper: string, outcome: keyof Fulfilled): string[] =>
    select.all(shopper, outcome).map(({ order_id }) => String(order_id))

  return {
    deliver(event) {
      database.exec('BEGIN IMMEDIATE')
      try {
        if (event.complete(database)) keep(event, 'delivered')
        database.exec('COMMIT')
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    hold: (event) => keep(event, 'held'),
    of: (shopper) => ({ delivered: idsOf(shopper, 'delivered'), held: idsOf(shopper, 'held') }),
    secret: sessionSecret(database),
    close: () => database.close(),
  }
}

function sessionSecret(database: DatabaseSync): string {
  database
    .prepare(`INSERT INTO secrets (name, value) VALUES ('session', ?) ON CONFLICT DO NOTHING`)
    .run(randomBytes(32).toString('base64url'))
  return String(database.prepare(`SELECT value FROM secrets WHERE name = 'session'`).get()?.value)
}

/** The shop's verdict for each state. */
const verdicts = {
  matched: 'The order is what was sold',
  renewal: 'The order renews a subscription',
  mismatched: 'The order is not what was sold',
  duplicate: 'The purchase was paid before',
  unchecked: 'The page decided what is sold',
  none: 'The order names no purchase',
} satisfies Record<PurchaseState, string>

/** `The order is not what was sold: quote_amount is 0.01, not 9.99`. */
const verdictOf = ({ state, differences }: OrderEvent['purchase']): string =>
  [verdicts[state], ...differences.map(sentenceOf)].join(': ')

/** Fields whose values may appear in the story. Addresses and ids may not. */
const shown: readonly string[] = ['product_id', 'quote', 'quote_amount', 'base', 'base_amount']

const sentenceOf = ({ field, expected, got }: Difference): string =>
  shown.includes(field) ? `${field} is ${got ?? 'missing'}, not ${expected ?? 'empty'}` : `${field} differs`

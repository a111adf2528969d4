/** Delivers each order that is what was sold, once, and says in the story what was decided. */
import type { DatabaseSync } from 'node:sqlite'
import type { Difference, OnOrder, OrderEvent, PurchaseState } from '@purchase-widget/server'
import type { Step } from '../story.ts'
import { inTransaction } from './database.ts'
import type { Deliveries } from './deliveries.ts'
import type { Journal } from './journal.ts'

interface FulfilParts {
  database: DatabaseSync
  deliveries: Deliveries
  journal: Journal
  /** Whether `database` is the store's too: then the delivery and its mark are written together, or neither. */
  sharesDatabase: boolean
}

/** What is delivered. The rest is for a person to look at. */
const isDue = {
  matched: true,
  renewal: true,
  mismatched: false,
  duplicate: false,
  unchecked: false,
  none: false,
} satisfies Record<PurchaseState, boolean>

export function createFulfilment({ database, deliveries, journal, sharesDatabase }: FulfilParts): OnOrder {
  function deliver({ order, complete }: OrderEvent): boolean {
    // A matched order has both: they are the purchase's own.
    const delivery = { id: order.id, shopper: order.custom_id ?? '', productId: order.product_id ?? '' }
    if (!sharesDatabase) return deliveries.deliver(delivery)
    return inTransaction(database, () => complete(database) === true && deliveries.deliver(delivery))
  }

  return (event) => {
    const { order, purchase } = event
    if (order.type !== 'order_complete') return
    const tell = (step: Omit<Step, 'from' | 'to'>): void =>
      journal.note({ from: 'server', to: 'server', ...step }, { shopper: order.custom_id ?? null })
    tell({
      text: verdictOf(purchase),
      call: purchase.state,
      tone: isDue[purchase.state] ? 'good' : 'bad',
    })
    if (!isDue[purchase.state]) {
      deliveries.hold({ id: order.id, shopper: order.custom_id ?? '' })
      tell({ text: 'Does not deliver', tone: 'bad' })
    } else if (deliver(event)) tell({ text: 'Delivers', tone: 'good' })
  }
}

/** What the shop makes of each state. */
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

/** Fields whose values may stand in the story. An address or an id may not. */
const shown: readonly string[] = ['product_id', 'quote', 'quote_amount', 'base', 'base_amount']

function sentenceOf({ field, expected, got }: Difference): string {
  return shown.includes(field)
    ? `${field} is ${got ?? 'missing'}, not ${expected ?? 'empty'}`
    : `${field} differs`
}

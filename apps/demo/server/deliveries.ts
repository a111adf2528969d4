/** What the shop has delivered: the goods' own record, with the order's id as its key. */
import type { DatabaseSync } from 'node:sqlite'

export interface Delivery {
  orderId: string
  productId: string
  /** Epoch milliseconds. */
  deliveredAt: number
}

export interface Deliveries {
  /**
   * Delivers what an order paid for. Whether it is due is the caller's business; that nothing is delivered twice is the table's key.
   *
   * @returns false when that was done before.
   */
  deliver(order: { id: string; shopper: string; productId: string }): boolean
  /** Keeps an order that was paid and is not what was sold, for a person to look at. */
  hold(order: { id: string; shopper: string }): void
  /** What these ids of one shopper were given, newest first, and the orders that are held. */
  of(shopperIds: readonly string[]): { delivered: Delivery[]; held: string[] }
}

export function createDeliveries(database: DatabaseSync, now: () => number = Date.now): Deliveries {
  const insert = database.prepare(
    'INSERT INTO deliveries (order_id, shopper, product_id, delivered_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const select = database.prepare(
    `SELECT order_id, product_id, delivered_at FROM deliveries
     WHERE shopper IN (SELECT value FROM json_each(?)) ORDER BY delivered_at DESC`,
  )
  const insertHeld = database.prepare(
    'INSERT INTO held_orders (order_id, shopper) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const selectHeld = database.prepare(
    'SELECT order_id FROM held_orders WHERE shopper IN (SELECT value FROM json_each(?))',
  )

  function deliveredTo(shopperIds: string): Delivery[] {
    return select.all(shopperIds).map((row) => ({
      orderId: String(row.order_id),
      productId: String(row.product_id),
      deliveredAt: Number(row.delivered_at),
    }))
  }

  return {
    deliver: ({ id, shopper, productId }) => insert.run(id, shopper, productId, now()).changes === 1,
    hold({ id, shopper }) {
      insertHeld.run(id, shopper)
    },
    of(shopperIds) {
      const ids = JSON.stringify(shopperIds)
      return {
        delivered: deliveredTo(ids),
        held: selectHeld.all(ids).map(({ order_id }) => String(order_id)),
      }
    },
  }
}

/** Purchases in SQLite: what is looked up by is a column, the rest is the purchase as JSON. */
import {
  isByLink,
  KEEP_SETTLED_MS,
  KEEP_UNSETTLED_MS,
  ORDERS_PER_PURCHASE,
  PURCHASES_PER_SHOPPER,
  type PurchaseRows,
  shopperKey,
} from '../store.ts'
import type { Database } from './database.ts'
import { sqliteSearches } from './searches.ts'

export function sqlitePurchases(database: Database, now: () => number): PurchaseRows {
  return {
    ...sqliteSearches(database, now),
    async begin(purchase) {
      const { id, shopper, params, begunAt, validUntil } = purchase
      const key = shopperKey(shopper)
      const byLink = Number(isByLink(purchase))
      await database.write((sql) => {
        sql.run(
          `INSERT INTO purchase_widget_purchases (id, shopper, product_id, begun_at, kept_until, by_link, purchase)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          ...[id, key, params.product_id ?? null, begunAt, validUntil + KEEP_UNSETTLED_MS, byLink],
          JSON.stringify(purchase),
        )
        sql.run(
          `DELETE FROM purchase_widget_purchases WHERE id IN (
            SELECT id FROM purchase_widget_purchases AS rows
            WHERE shopper = ? AND claimed_by IS NULL AND by_link = ? AND id <> ?
            ORDER BY EXISTS (SELECT 1 FROM purchase_widget_orders WHERE purchase_id = rows.id) DESC,
              begun_at DESC, id DESC
            LIMIT -1 OFFSET ?)`,
          ...[key, byLink, id, PURCHASES_PER_SHOPPER - 1],
        )
      })
    },
    async claim(id, orderId) {
      const [row] = await database.write((sql) => {
        sql.run(
          `UPDATE purchase_widget_purchases SET claimed_by = ?, kept_until = ?
            WHERE id = ? AND claimed_by IS NULL AND kept_until > ?`,
          ...[orderId, now() + KEEP_SETTLED_MS, id, now()],
        )
        return sql.all(
          'SELECT claimed_by FROM purchase_widget_purchases WHERE id = ? AND kept_until > ?',
          id,
          now(),
        )
      })
      return row ? (row.claimed_by as string) : null
    },
    async record(id, order) {
      await database.write((sql) => {
        sql.run(
          `INSERT INTO purchase_widget_orders (purchase_id, id, type, state, summary)
            SELECT id, ?, ?, ?, ? FROM purchase_widget_purchases WHERE id = ? AND kept_until > ?
            ON CONFLICT (purchase_id, id) DO UPDATE
            SET type = excluded.type, state = excluded.state, summary = excluded.summary
            WHERE purchase_widget_orders.type <> 'order_complete' OR excluded.type = 'order_complete'`,
          ...[order.id, order.type, order.state, order.summary, id, now()],
        )
        // The claim's order comes first, so that it is never among the ones that make way.
        sql.run(
          `DELETE FROM purchase_widget_orders WHERE number IN (
            SELECT number FROM purchase_widget_orders AS orders WHERE purchase_id = ?1
            ORDER BY id IS (SELECT claimed_by FROM purchase_widget_purchases WHERE id = ?1) DESC, number DESC
            LIMIT -1 OFFSET ?2)`,
          ...[id, ORDERS_PER_PURCHASE],
        )
      })
    },
    renew: (id, orderId, charges) =>
      database.write((sql) => {
        sql.run(
          `INSERT OR IGNORE INTO purchase_widget_renewals (purchase_id, order_id)
            SELECT id, ?2 FROM purchase_widget_purchases WHERE id = ?1 AND claimed_by IS NOT NULL AND kept_until > ?3
            AND (SELECT count(*) FROM purchase_widget_renewals WHERE purchase_id = ?1) < ?4`,
          ...[id, orderId, now(), charges],
        )
        const kept = sql.run(
          `UPDATE purchase_widget_purchases SET kept_until = ?3 WHERE id = ?1 AND kept_until > ?4
            AND EXISTS (SELECT 1 FROM purchase_widget_renewals WHERE purchase_id = ?1 AND order_id = ?2)`,
          ...[id, orderId, now() + KEEP_SETTLED_MS, now()],
        )
        return kept === 1
      }),
    sweep: (limit) =>
      database.write((sql) =>
        sql.run(
          `DELETE FROM purchase_widget_purchases WHERE id IN (
            SELECT id FROM purchase_widget_purchases WHERE kept_until <= ? ORDER BY kept_until LIMIT ?)`,
          ...[now(), limit],
        ),
      ),
  }
}

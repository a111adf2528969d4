/** Purchases in SQLite: what is looked up by is a column, the rest is the purchase as JSON. */
import {
  isByLink,
  isByOtherSite,
  KEEP_UNSETTLED_MS,
  KEEP_UNTRIED_MS,
  ORDERS_PER_PURCHASE,
  PURCHASES_BY_OTHER_SITES,
  PURCHASES_PER_SHOPPER,
  type PurchaseRows,
  shopperKey,
} from '../store.ts'
import type { Database } from './database.ts'
import { sqliteSearches } from './searches.ts'
import { sqliteSettling } from './settling.ts'

export function sqlitePurchases(database: Database, now: () => number): PurchaseRows {
  return {
    ...sqliteSearches(database, now),
    ...sqliteSettling(database, now),
    async begin(purchase) {
      const { id, shopper, params, begunAt, validUntil } = purchase
      const key = shopperKey(shopper)
      const byLink = Number(isByLink(purchase))
      const byOtherSite = Number(isByOtherSite(purchase))
      await database.write((sql) => {
        sql.run(
          `INSERT INTO purchase_widget_purchases (id, shopper, product_id, begun_at, kept_until, by_link, by_other_site, purchase)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          ...[id, key, params.product_id ?? null, begunAt, validUntil + KEEP_UNTRIED_MS, byLink, byOtherSite],
          JSON.stringify(purchase),
        )
        sql.run(
          `DELETE FROM purchase_widget_purchases WHERE id IN (
            SELECT id FROM (
              SELECT *, EXISTS (SELECT 1 FROM purchase_widget_orders WHERE purchase_id = purchases.id) AS tried
              FROM purchase_widget_purchases AS purchases WHERE shopper = ? AND claimed_by IS NULL)
            WHERE by_link = ? AND (by_other_site AND NOT tried) = ? AND id <> ?
            ORDER BY tried DESC, begun_at DESC, id DESC
            LIMIT -1 OFFSET ?)`,
          ...[key, byLink, byOtherSite, id],
          (byOtherSite ? PURCHASES_BY_OTHER_SITES : PURCHASES_PER_SHOPPER) - 1,
        )
      })
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
        sql.run(
          'UPDATE purchase_widget_purchases SET kept_until = max(kept_until, ?) WHERE id = ? AND kept_until > ?',
          ...[now() + KEEP_UNSETTLED_MS, id, now()],
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

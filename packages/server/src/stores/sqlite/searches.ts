/** What purchases in SQLite are found by. */
import type { PurchaseRecord } from '../../purchase/purchase.ts'
import { LISTED_FOR_SHOPPER, type PurchaseRows, SETTLED_FOR_SHOPPER } from '../store.ts'
import type { Database, Row } from './database.ts'

type PurchaseSearches = Pick<
  PurchaseRows,
  'find' | 'settledFor' | 'ofShopper' | 'unsettled' | 'subscriptionsDue'
>

const select = `SELECT purchase, claimed_by, preloaded_until,
  (SELECT json_group_array(json_object('id', id, 'type', type, 'state', state, 'summary', summary) ORDER BY number)
    FROM purchase_widget_orders WHERE purchase_id = purchases.id) AS orders
  FROM purchase_widget_purchases AS purchases`

export function sqliteSearches(database: Database, now: () => number): PurchaseSearches {
  return {
    async find(id) {
      const [row] = await database.read((sql) =>
        sql.all(`${select} WHERE id = ? AND kept_until > ?`, id, now()),
      )
      return row ? parsed(row) : null
    },
    async settledFor(shopper, productId) {
      const rows = await database.read((sql) =>
        sql.all(
          `${select} WHERE shopper = ? AND product_id = ? AND claimed_by IS NOT NULL AND kept_until > ?
            ORDER BY begun_at DESC, id DESC LIMIT ?`,
          ...[shopper, productId, now(), SETTLED_FOR_SHOPPER],
        ),
      )
      return rows.map(parsed)
    },
    async ofShopper(shopper) {
      const rows = await database.read((sql) =>
        sql.all(
          `${select} WHERE shopper = ? AND kept_until > ? ORDER BY begun_at DESC, id DESC LIMIT ?`,
          ...[shopper, now(), LISTED_FOR_SHOPPER],
        ),
      )
      return rows.map(parsed)
    },
    async subscriptionsDue(at, limit) {
      const rows = await database.read((sql) =>
        sql.all(
          `${select} WHERE check_at <= ? AND kept_until > ? ORDER BY check_at LIMIT ?`,
          ...[at, now(), limit],
        ),
      )
      return rows.map(parsed)
    },
    async unsettled({ from, to, limit, after }) {
      const rows = await database.read((sql) =>
        sql.all(
          `${select} WHERE claimed_by IS NULL AND preloaded_until IS NULL AND kept_until > ? AND begun_at >= ? AND begun_at < ?
            AND (begun_at, id) < (?, ?) ORDER BY begun_at DESC, id DESC LIMIT ?`,
          ...[now(), from, to, after?.begunAt ?? to, after?.id ?? '', limit],
        ),
      )
      return rows.map(parsed)
    },
  }
}

const parsed = ({ purchase, claimed_by, preloaded_until, orders }: Row): PurchaseRecord => ({
  purchase: JSON.parse(String(purchase)),
  claimedBy: claimed_by === null ? null : String(claimed_by),
  preloadedUntil: preloaded_until === null ? null : Number(preloaded_until),
  orders: JSON.parse(String(orders)),
})

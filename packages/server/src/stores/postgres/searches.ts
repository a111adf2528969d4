/** What purchases in Postgres are found by. */
import type { PurchaseRecord } from '../../purchase/purchase.ts'
import { LISTED_FOR_SHOPPER, type PurchaseRows, SETTLED_FOR_SHOPPER } from '../store.ts'
import type { Database, Row } from './database.ts'

type PurchaseSearches = Pick<
  PurchaseRows,
  'find' | 'settledFor' | 'ofShopper' | 'unsettled' | 'subscriptionsDue'
>

export function postgresSearches(database: Database): PurchaseSearches {
  const { schema } = database
  const select = `SELECT purchase, claimed_by, preloaded_until,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'type', type, 'state', state, 'summary', summary)
      ORDER BY number), '[]')::text FROM ${schema}.orders WHERE purchase_id = purchases.id) AS orders
    FROM ${schema}.purchases AS purchases`

  return {
    async find(id) {
      const [row] = await database.query(`${select} WHERE id = $1 AND kept_until > $2`, id, Date.now())
      return row ? parsed(row) : null
    },
    async settledFor(shopper, productId) {
      const rows = await database.query(
        `${select} WHERE shopper = $1 AND product_id = $2 AND claimed_by IS NOT NULL AND kept_until > $3
          ORDER BY begun_at DESC, id DESC LIMIT $4`,
        ...[shopper, productId, Date.now(), SETTLED_FOR_SHOPPER],
      )
      return rows.map(parsed)
    },
    async ofShopper(shopper) {
      const rows = await database.query(
        `${select} WHERE shopper = $1 AND kept_until > $2 ORDER BY begun_at DESC, id DESC LIMIT $3`,
        ...[shopper, Date.now(), LISTED_FOR_SHOPPER],
      )
      return rows.map(parsed)
    },
    async subscriptionsDue(at, limit) {
      const rows = await database.query(
        `${select} WHERE check_at <= $1 AND kept_until > $2 ORDER BY check_at LIMIT $3`,
        ...[at, Date.now(), limit],
      )
      return rows.map(parsed)
    },
    async unsettled({ from, to, limit, after }) {
      const rows = await database.query(
        `${select} WHERE claimed_by IS NULL AND preloaded_until IS NULL AND kept_until > $1 AND begun_at >= $2 AND begun_at < $3
          AND (begun_at, id) < ($4, $5) ORDER BY begun_at DESC, id DESC LIMIT $6`,
        ...[Date.now(), from, to, after?.begunAt ?? to, after?.id ?? '', limit],
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

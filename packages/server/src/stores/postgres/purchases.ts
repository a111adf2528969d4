/** Purchases in Postgres: what is looked up by is a column, the rest is the purchase as JSON. */
import type { Purchase } from '../../purchase/purchase.ts'
import {
  isByLink,
  isByOtherSite,
  KEEP_PRELOADED_MS,
  KEEP_UNSETTLED_MS,
  KEEP_UNTRIED_MS,
  ORDERS_PER_PURCHASE,
  PURCHASES_BY_OTHER_SITES,
  PURCHASES_PER_SHOPPER,
  type PurchaseRows,
  shopperKey,
} from '../store.ts'
import type { Database, Sql } from './database.ts'
import { postgresSearches } from './searches.ts'
import { postgresSettling } from './settling.ts'

export function postgresPurchases(database: Database): PurchaseRows {
  const { schema } = database
  return {
    ...postgresSearches(database),
    ...postgresSettling(database),
    async begin(purchase) {
      const { id, shopper, params, begunAt, validUntil, preload } = purchase
      const preloadedUntil = preload ? begunAt + KEEP_PRELOADED_MS : null
      await database.transaction(async (sql) => {
        // Two purchases that are begun at once would not see each other.
        await sql.lock(`${schema} shopper ${shopperKey(shopper)}`)
        await sql.run(
          `INSERT INTO ${schema}.purchases
            (id, shopper, product_id, begun_at, kept_until, by_link, by_other_site, preloaded_until, purchase)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
          ...[id, shopperKey(shopper), params.product_id ?? null, begunAt],
          ...[preloadedUntil ?? validUntil + KEEP_UNTRIED_MS, isByLink(purchase), isByOtherSite(purchase)],
          ...[preloadedUntil, JSON.stringify(purchase)],
        )
        if (preload) await replacePreloaded(sql, schema, purchase)
        else await evict(sql, schema, purchase)
      })
    },
    async open(purchase) {
      await database.transaction(async (sql) => {
        await sql.lock(`${schema} shopper ${shopperKey(purchase.shopper)}`)
        const [opened] = await sql.run(
          `UPDATE ${schema}.purchases SET preloaded_until = NULL, kept_until = greatest(kept_until, $1)
            WHERE id = $2 AND preloaded_until IS NOT NULL AND kept_until > $3 RETURNING 1`,
          ...[purchase.validUntil + KEEP_UNTRIED_MS, purchase.id, Date.now()],
        )
        if (opened) await evict(sql, schema, purchase)
      })
    },
    async record(id, order) {
      await database.transaction(async (sql) => {
        const [row] = await sql.run(
          `UPDATE ${schema}.purchases SET kept_until = greatest(kept_until, $3), preloaded_until = NULL
            WHERE id = $1 AND kept_until > $2 RETURNING claimed_by`,
          ...[id, Date.now(), Date.now() + KEEP_UNSETTLED_MS],
        )
        if (!row) return
        await sql.run(
          `INSERT INTO ${schema}.orders AS kept (purchase_id, id, type, state, summary) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (purchase_id, id) DO UPDATE
            SET type = excluded.type, state = excluded.state, summary = excluded.summary
            WHERE kept.type <> 'order_complete' OR excluded.type = 'order_complete'`,
          ...[id, order.id, order.type, order.state, order.summary],
        )
        // The claim's order comes first, so that it is never among the ones that are evicted.
        await sql.run(
          `DELETE FROM ${schema}.orders WHERE number IN (
            SELECT number FROM ${schema}.orders WHERE purchase_id = $1
            ORDER BY id IS NOT DISTINCT FROM $2 DESC, number DESC OFFSET $3)`,
          ...[id, row.claimed_by, ORDERS_PER_PURCHASE],
        )
      })
    },
    async sweep(limit) {
      const rows = await database.query(
        `DELETE FROM ${schema}.purchases WHERE id IN (
          SELECT id FROM ${schema}.purchases WHERE kept_until <= $1 ORDER BY kept_until LIMIT $2) RETURNING 1`,
        ...[Date.now(), limit],
      )
      return rows.length
    },
  }
}

async function replacePreloaded(sql: Sql, schema: string, { id, shopper, params }: Purchase): Promise<void> {
  await sql.run(
    `DELETE FROM ${schema}.purchases WHERE shopper = $1 AND product_id IS NOT DISTINCT FROM $2
      AND preloaded_until IS NOT NULL AND id <> $3`,
    ...[shopperKey(shopper), params.product_id ?? null, id],
  )
}

/** Evicts one of the shopper's of the same kind, where there are too many. */
async function evict(sql: Sql, schema: string, purchase: Purchase): Promise<void> {
  const byOtherSite = isByOtherSite(purchase)
  await sql.run(
    `DELETE FROM ${schema}.purchases WHERE id IN (
      SELECT id FROM (
        SELECT *, EXISTS (SELECT 1 FROM ${schema}.orders WHERE purchase_id = purchases.id) AS tried
        FROM ${schema}.purchases AS purchases
        WHERE shopper = $1 AND claimed_by IS NULL AND preloaded_until IS NULL) AS rows
      WHERE by_link = $2 AND (by_other_site AND NOT tried) = $3 AND id <> $4
      ORDER BY tried DESC, begun_at DESC, id DESC
      OFFSET $5)`,
    ...[shopperKey(purchase.shopper), isByLink(purchase), byOtherSite, purchase.id],
    (byOtherSite ? PURCHASES_BY_OTHER_SITES : PURCHASES_PER_SHOPPER) - 1,
  )
}

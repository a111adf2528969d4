/** Purchases in Postgres: what is looked up by is a column, the rest is the purchase as JSON. */
import type { Purchase, PurchaseRecord } from '../../purchase/purchase.ts'
import { recordOf } from '../rows.ts'
import {
  isByLink,
  isByOtherSite,
  KEEP_PRELOADED_MS,
  KEEP_SETTLED_MS,
  KEEP_UNSETTLED_MS,
  KEEP_UNTRIED_MS,
  LISTED_FOR_SHOPPER,
  ORDERS_PER_PURCHASE,
  PURCHASES_BY_OTHER_SITES,
  PURCHASES_PER_SHOPPER,
  type PurchaseRows,
  SETTLED_FOR_SHOPPER,
  shopperKey,
} from '../store.ts'
import type { Database, Sql } from './database.ts'

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

type PurchaseSearches = Pick<
  PurchaseRows,
  'find' | 'settledFor' | 'ofShopper' | 'unsettled' | 'subscriptionsDue'
>

function postgresSearches(database: Database): PurchaseSearches {
  const { schema } = database
  const select = `SELECT purchase, claimed_by, preloaded_until,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'type', type, 'state', state, 'summary', summary)
      ORDER BY number), '[]')::text FROM ${schema}.orders WHERE purchase_id = purchases.id) AS orders
    FROM ${schema}.purchases AS purchases`

  async function search(condition: string, ...values: unknown[]): Promise<PurchaseRecord[]> {
    return (await database.query(`${select} WHERE ${condition}`, ...values)).map(recordOf)
  }

  return {
    async find(id) {
      const [found = null] = await search('id = $1 AND kept_until > $2', id, Date.now())
      return found
    },
    settledFor: (shopper, productId) =>
      search(
        `shopper = $1 AND product_id = $2 AND claimed_by IS NOT NULL AND kept_until > $3
          ORDER BY begun_at DESC, id DESC LIMIT $4`,
        ...[shopper, productId, Date.now(), SETTLED_FOR_SHOPPER],
      ),
    ofShopper: (shopper) =>
      search(
        'shopper = $1 AND kept_until > $2 ORDER BY begun_at DESC, id DESC LIMIT $3',
        ...[shopper, Date.now(), LISTED_FOR_SHOPPER],
      ),
    subscriptionsDue: (at, limit) =>
      search('check_at <= $1 AND kept_until > $2 ORDER BY check_at LIMIT $3', at, Date.now(), limit),
    unsettled: ({ from, to, limit, after }) =>
      search(
        `claimed_by IS NULL AND preloaded_until IS NULL AND kept_until > $1 AND begun_at >= $2 AND begun_at < $3
          AND (begun_at, id) < ($4, $5) ORDER BY begun_at DESC, id DESC LIMIT $6`,
        ...[Date.now(), from, to, after?.begunAt ?? to, after?.id ?? '', limit],
      ),
  }
}

/** Which order settles a purchase, and which renew its subscription: each by one atomic write. */
function postgresSettling(database: Database): Pick<PurchaseRows, 'claim' | 'renew' | 'checkSubscriptionAt'> {
  const { schema } = database
  return {
    async claim(id, orderId, checkAt = null) {
      const [row] = await database.query(
        `UPDATE ${schema}.purchases SET
          kept_until = CASE WHEN claimed_by IS NULL THEN $3 ELSE kept_until END,
          check_at = CASE WHEN claimed_by IS NULL THEN $5::bigint ELSE check_at END,
          claimed_by = coalesce(claimed_by, $2), preloaded_until = NULL
          WHERE id = $1 AND kept_until > $4 RETURNING claimed_by`,
        ...[id, orderId, Date.now() + KEEP_SETTLED_MS, Date.now(), checkAt],
      )
      return row ? String(row.claimed_by) : null
    },
    renew: (id, orderId, charges, checkAt = null) =>
      database.transaction(async (sql) => {
        // Two orders that come at once would count the same renewals: the row lets one through after the other.
        const [row] = await sql.run(
          `SELECT 1 FROM ${schema}.purchases WHERE id = $1 AND claimed_by IS NOT NULL AND kept_until > $2 FOR UPDATE`,
          ...[id, Date.now()],
        )
        if (!row) return false
        const present = await sql.run(`SELECT order_id FROM ${schema}.renewals WHERE purchase_id = $1`, id)
        const isHeld = present.some(({ order_id }) => order_id === orderId)
        if (!isHeld && present.length >= charges) return false
        if (!isHeld) await sql.run(`INSERT INTO ${schema}.renewals VALUES ($1, $2)`, id, orderId)
        await sql.run(
          `UPDATE ${schema}.purchases SET kept_until = $2, check_at = $3 WHERE id = $1`,
          ...[id, Date.now() + KEEP_SETTLED_MS, checkAt],
        )
        return true
      }),
    async checkSubscriptionAt(id, checkAt) {
      await database.query(`UPDATE ${schema}.purchases SET check_at = $2 WHERE id = $1`, id, checkAt)
    },
  }
}

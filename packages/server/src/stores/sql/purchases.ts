/** Purchases in SQL: search fields are columns, the rest is the purchase as JSON. */
import type { Purchase, PurchaseRecord } from '../../purchase/purchase.ts'
import {
  firstLife,
  KEEP_SETTLED_MS,
  KEEP_UNSETTLED_MS,
  KEEP_UNTRIED_MS,
  kindOf,
  LISTED_FOR_SHOPPER,
  MAX_OF_KIND,
  ORDERS_PER_PURCHASE,
  type PurchaseRows,
  SETTLED_FOR_SHOPPER,
  shopperKey,
} from '../store.ts'
import { type Database, type Dialect, NO_LIMIT, type Row, type Statement, type Value } from './database.ts'

export function sqlPurchases(database: Database): PurchaseRows {
  const { dialect } = database
  const { prefix, now } = dialect
  return {
    ...searches(database),
    ...settlement(database),
    async begin(purchase) {
      const { id, shopper, begunAt, preload } = purchase
      const { keptUntil, preloadedUntil } = firstLife(purchase)
      await database.transaction(function* () {
        // Without the lock, two purchases that are created at once would not see each other.
        yield* database.lock(`shopper ${shopperKey(shopper)}`)
        yield [`DELETE FROM ${prefix}purchases WHERE id = $1 AND kept_until <= ${now}`, id]
        const [added] = yield [
          `INSERT INTO ${prefix}purchases
            (id, shopper, begun_at, kept_until, kind, preloaded_until, purchase)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING id`,
          ...[id, shopperKey(shopper), begunAt, keptUntil],
          ...[kindOf(purchase), preloadedUntil, JSON.stringify(purchase)],
        ]
        if (added) yield evict(dialect, purchase, preload ? 'preloaded' : kindOf(purchase))
      })
    },
    async open(purchase) {
      await database.transaction(function* () {
        yield* database.lock(`shopper ${shopperKey(purchase.shopper)}`)
        const [opened] = yield [
          `UPDATE ${prefix}purchases
            SET preloaded_until = NULL, kept_until = CASE WHEN kept_until < $1 THEN $1 ELSE kept_until END
            WHERE id = $2 AND preloaded_until IS NOT NULL AND kept_until > ${now} RETURNING id`,
          ...[purchase.validUntil + KEEP_UNTRIED_MS, purchase.id],
        ]
        if (opened) yield evict(dialect, purchase, kindOf(purchase))
      })
    },
    async record(id, order) {
      await database.transaction(function* () {
        const [row] = yield [
          `UPDATE ${prefix}purchases SET preloaded_until = NULL,
            kept_until = CASE WHEN kept_until < ${now} + $2 THEN ${now} + $2 ELSE kept_until END
            WHERE id = $1 AND kept_until > ${now} RETURNING claimed_by`,
          ...[id, KEEP_UNSETTLED_MS],
        ]
        if (!row) return
        yield [
          `INSERT INTO ${prefix}orders AS kept (purchase_id, id, type, state, summary) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (purchase_id, id) DO UPDATE
            SET type = excluded.type, state = excluded.state, summary = excluded.summary
            WHERE kept.type <> 'order_complete' OR excluded.type = 'order_complete'`,
          ...[id, order.id, order.type, order.state, order.summary],
        ]
        // The order that holds the claim sorts first, so that it is never evicted.
        yield [
          `DELETE FROM ${prefix}orders WHERE number IN (
            SELECT number FROM ${prefix}orders WHERE purchase_id = $1
            ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END, number DESC LIMIT ${NO_LIMIT} OFFSET $3)`,
          ...[id, row.claimed_by as string | null, ORDERS_PER_PURCHASE],
        ]
      })
    },
  }
}

/**
 * Evicts purchase records of the same shopper and kind beyond the limit. One that another site opened counts as a link once it has an order.
 * Postgres repeats only the outer condition for a row that another transaction has claimed in between.
 */
const evict = ({ prefix }: Dialect, { id, shopper }: Purchase, kind: keyof typeof MAX_OF_KIND): Statement => [
  `DELETE FROM ${prefix}purchases WHERE claimed_by IS NULL AND id IN (
    SELECT id FROM (
      SELECT *, CASE WHEN EXISTS (SELECT 1 FROM ${prefix}orders WHERE purchase_id = purchases.id) THEN 1 ELSE 0 END AS tried
      FROM ${prefix}purchases AS purchases
      WHERE shopper = $1 AND claimed_by IS NULL) AS others
    WHERE CASE
      WHEN preloaded_until IS NOT NULL THEN 'preloaded'
      WHEN tried = 1 AND kind = 'other_site' THEN 'link'
      ELSE kind END = $2 AND id <> $3
    ORDER BY tried DESC, begun_at DESC, id DESC LIMIT ${NO_LIMIT} OFFSET $4)`,
  ...[shopperKey(shopper), kind, id, MAX_OF_KIND[kind] - 1],
]

type Searches = Pick<PurchaseRows, 'find' | 'settledFor' | 'ofShopper' | 'unsettled' | 'subscriptionsDue'>

function searches({ dialect: { prefix, now, ordersAsJson }, read }: Database): Searches {
  const select = `SELECT purchase, claimed_by, product_id, payer, check_at, preloaded_until,
    (SELECT ${ordersAsJson} FROM ${prefix}orders WHERE purchase_id = purchases.id) AS orders
    FROM ${prefix}purchases AS purchases WHERE kept_until > ${now}`

  async function search(condition: string, ...values: Value[]): Promise<PurchaseRecord[]> {
    return (await read(`${select} AND ${condition}`, ...values)).map(recordOf)
  }

  return {
    async find(id) {
      const [found = null] = await search('id = $1', id)
      return found
    },
    settledFor: (shopper, productId, orderId) =>
      search(
        `shopper = $1 AND product_id = $2 AND claimed_by IS NOT NULL
          ORDER BY NOT EXISTS (SELECT 1 FROM ${prefix}renewals WHERE purchase_id = purchases.id AND order_id = $3),
            check_at IS NULL, check_at, begun_at DESC, id DESC LIMIT $4`,
        ...[shopper, productId, orderId, SETTLED_FOR_SHOPPER],
      ),
    ofShopper: (shopper) =>
      search(
        'shopper = $1 AND preloaded_until IS NULL ORDER BY begun_at DESC, id DESC LIMIT $2',
        ...[shopper, LISTED_FOR_SHOPPER],
      ),
    subscriptionsDue: (at, limit) => search('check_at <= $1 ORDER BY check_at LIMIT $2', at, limit),
    unsettled: ({ from, to, limit, after }) =>
      search(
        `claimed_by IS NULL AND preloaded_until IS NULL AND begun_at >= $1 AND begun_at < $2
          AND (begun_at, id) < ($3, $4) ORDER BY begun_at DESC, id DESC LIMIT $5`,
        ...[from, to, after?.begunAt ?? to, after?.id ?? '', limit],
      ),
  }
}

const recordOf = ({
  purchase,
  claimed_by,
  product_id,
  payer,
  check_at,
  preloaded_until,
  orders,
}: Row): PurchaseRecord => ({
  purchase: JSON.parse(String(purchase)),
  claimedBy: claimed_by === null ? null : String(claimed_by),
  productId: product_id === null ? null : String(product_id),
  payer: payer === null ? null : String(payer),
  checkAt: check_at === null ? null : Number(check_at),
  preloadedUntil: preloaded_until === null ? null : Number(preloaded_until),
  orders: JSON.parse(String(orders)),
})

/** Assigns the order that settles a purchase, and the orders that renew its subscription: each by one atomic write. */
function settlement(database: Database): Pick<PurchaseRows, 'claim' | 'renew' | 'checkSubscriptionAt'> {
  const { prefix, now, forUpdate } = database.dialect
  return {
    async claim(id, orderId, { productId = null, payer = null, checkAt = null } = {}) {
      const [row] = await database.write(
        `UPDATE ${prefix}purchases SET
          kept_until = CASE WHEN claimed_by IS NULL THEN ${now} + $3 ELSE kept_until END,
          check_at = CASE WHEN claimed_by IS NULL THEN CAST($4 AS bigint) ELSE check_at END,
          product_id = CASE WHEN coalesce(claimed_by, $2) = $2 THEN CAST($5 AS text) ELSE product_id END,
          payer = CASE WHEN coalesce(claimed_by, $2) = $2 THEN coalesce(CAST($6 AS text), payer) ELSE payer END,
          claimed_by = coalesce(claimed_by, $2), preloaded_until = NULL
          WHERE id = $1 AND kept_until > ${now} RETURNING claimed_by`,
        ...[id, orderId, KEEP_SETTLED_MS, checkAt, productId, payer],
      )
      return row ? String(row.claimed_by) : null
    },
    renew: (id, orderId, charges, checkAt = null) =>
      database.transaction(function* () {
        // Without the row lock, two orders that arrive at once would count the same renewals.
        const [row] = yield [
          `SELECT id FROM ${prefix}purchases WHERE id = $1 AND claimed_by IS NOT NULL AND kept_until > ${now} ${forUpdate}`,
          id,
        ]
        if (!row) return false
        const present = yield [`SELECT order_id FROM ${prefix}renewals WHERE purchase_id = $1`, id]
        if (present.some(({ order_id }) => order_id === orderId)) return true
        if (present.length >= charges) return false
        yield [`INSERT INTO ${prefix}renewals VALUES ($1, $2)`, id, orderId]
        yield [
          `UPDATE ${prefix}purchases SET kept_until = ${now} + $2, check_at = $3 WHERE id = $1`,
          ...[id, KEEP_SETTLED_MS, checkAt],
        ]
        return true
      }),
    async checkSubscriptionAt(id, checkAt, dueAt) {
      const update = `UPDATE ${prefix}purchases SET check_at = $2 WHERE id = $1 AND check_at = $3`
      await database.write(update, id, checkAt, dueAt)
    },
  }
}

/** Purchases in SQLite: what is looked up by is a column, the rest is the purchase as JSON. */
import type { SQLInputValue } from 'node:sqlite'
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

export function sqlitePurchases(database: Database, now: () => number): PurchaseRows {
  return {
    ...sqliteSearches(database, now),
    ...sqliteSettling(database, now),
    async begin(purchase) {
      const { id, shopper, params, begunAt, validUntil, preload } = purchase
      const preloadedUntil = preload ? begunAt + KEEP_PRELOADED_MS : null
      await database.write((sql) => {
        sql.run(
          `INSERT INTO purchase_widget_purchases
            (id, shopper, product_id, begun_at, kept_until, by_link, by_other_site, preloaded_until, purchase)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          ...[id, shopperKey(shopper), params.product_id ?? null, begunAt],
          ...[preloadedUntil ?? validUntil + KEEP_UNTRIED_MS, Number(isByLink(purchase))],
          ...[Number(isByOtherSite(purchase)), preloadedUntil, JSON.stringify(purchase)],
        )
        if (preload) replacePreloaded(sql, purchase)
        else evict(sql, purchase)
      })
    },
    async open(purchase) {
      await database.write((sql) => {
        const opened = sql.run(
          `UPDATE purchase_widget_purchases SET preloaded_until = NULL, kept_until = max(kept_until, ?)
            WHERE id = ? AND preloaded_until IS NOT NULL AND kept_until > ?`,
          ...[purchase.validUntil + KEEP_UNTRIED_MS, purchase.id, now()],
        )
        if (opened === 1) evict(sql, purchase)
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
          'UPDATE purchase_widget_purchases SET kept_until = max(kept_until, ?), preloaded_until = NULL WHERE id = ? AND kept_until > ?',
          ...[now() + KEEP_UNSETTLED_MS, id, now()],
        )
        // The claim's order comes first, so that it is never among the ones that are evicted.
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

function replacePreloaded(sql: Sql, { id, shopper, params }: Purchase): void {
  sql.run(
    `DELETE FROM purchase_widget_purchases
      WHERE shopper = ? AND product_id IS ? AND preloaded_until IS NOT NULL AND id <> ?`,
    ...[shopperKey(shopper), params.product_id ?? null, id],
  )
}

/** Evicts one of the shopper's of the same kind, where there are too many. */
function evict(sql: Sql, purchase: Purchase): void {
  const byOtherSite = isByOtherSite(purchase)
  sql.run(
    `DELETE FROM purchase_widget_purchases WHERE id IN (
      SELECT id FROM (
        SELECT *, EXISTS (SELECT 1 FROM purchase_widget_orders WHERE purchase_id = purchases.id) AS tried
        FROM purchase_widget_purchases AS purchases
        WHERE shopper = ? AND claimed_by IS NULL AND preloaded_until IS NULL)
      WHERE by_link = ? AND (by_other_site AND NOT tried) = ? AND id <> ?
      ORDER BY tried DESC, begun_at DESC, id DESC
      LIMIT -1 OFFSET ?)`,
    ...[shopperKey(purchase.shopper), Number(isByLink(purchase)), Number(byOtherSite), purchase.id],
    (byOtherSite ? PURCHASES_BY_OTHER_SITES : PURCHASES_PER_SHOPPER) - 1,
  )
}

type PurchaseSearches = Pick<
  PurchaseRows,
  'find' | 'settledFor' | 'ofShopper' | 'unsettled' | 'subscriptionsDue'
>

const select = `SELECT purchase, claimed_by, preloaded_until,
  (SELECT json_group_array(json_object('id', id, 'type', type, 'state', state, 'summary', summary) ORDER BY number)
    FROM purchase_widget_orders WHERE purchase_id = purchases.id) AS orders
  FROM purchase_widget_purchases AS purchases`

function sqliteSearches(database: Database, now: () => number): PurchaseSearches {
  async function search(condition: string, ...values: SQLInputValue[]): Promise<PurchaseRecord[]> {
    const rows = await database.read((sql) => sql.all(`${select} WHERE ${condition}`, ...values))
    return rows.map(recordOf)
  }

  return {
    async find(id) {
      const [found = null] = await search('id = ? AND kept_until > ?', id, now())
      return found
    },
    settledFor: (shopper, productId) =>
      search(
        `shopper = ? AND product_id = ? AND claimed_by IS NOT NULL AND kept_until > ?
          ORDER BY begun_at DESC, id DESC LIMIT ?`,
        ...[shopper, productId, now(), SETTLED_FOR_SHOPPER],
      ),
    ofShopper: (shopper) =>
      search(
        'shopper = ? AND kept_until > ? ORDER BY begun_at DESC, id DESC LIMIT ?',
        ...[shopper, now(), LISTED_FOR_SHOPPER],
      ),
    subscriptionsDue: (at, limit) =>
      search('check_at <= ? AND kept_until > ? ORDER BY check_at LIMIT ?', at, now(), limit),
    unsettled: ({ from, to, limit, after }) =>
      search(
        `claimed_by IS NULL AND preloaded_until IS NULL AND kept_until > ? AND begun_at >= ? AND begun_at < ?
          AND (begun_at, id) < (?, ?) ORDER BY begun_at DESC, id DESC LIMIT ?`,
        ...[now(), from, to, after?.begunAt ?? to, after?.id ?? '', limit],
      ),
  }
}

/** Which order settles a purchase, and which renew its subscription: each by one atomic write. */
function sqliteSettling(
  database: Database,
  now: () => number,
): Pick<PurchaseRows, 'claim' | 'renew' | 'checkSubscriptionAt'> {
  return {
    async claim(id, orderId, checkAt = null) {
      const [row] = await database.write((sql) => {
        sql.run(
          `UPDATE purchase_widget_purchases SET claimed_by = ?, check_at = ?, kept_until = ?, preloaded_until = NULL
            WHERE id = ? AND claimed_by IS NULL AND kept_until > ?`,
          ...[orderId, checkAt, now() + KEEP_SETTLED_MS, id, now()],
        )
        return sql.all(
          'SELECT claimed_by FROM purchase_widget_purchases WHERE id = ? AND kept_until > ?',
          id,
          now(),
        )
      })
      return row ? (row.claimed_by as string) : null
    },
    renew: (id, orderId, charges, checkAt = null) =>
      database.write((sql) => {
        sql.run(
          `INSERT OR IGNORE INTO purchase_widget_renewals (purchase_id, order_id)
            SELECT id, ?2 FROM purchase_widget_purchases WHERE id = ?1 AND claimed_by IS NOT NULL AND kept_until > ?3
            AND (SELECT count(*) FROM purchase_widget_renewals WHERE purchase_id = ?1) < ?4`,
          ...[id, orderId, now(), charges],
        )
        const kept = sql.run(
          `UPDATE purchase_widget_purchases SET kept_until = ?3, check_at = ?5 WHERE id = ?1 AND kept_until > ?4
            AND EXISTS (SELECT 1 FROM purchase_widget_renewals WHERE purchase_id = ?1 AND order_id = ?2)`,
          ...[id, orderId, now() + KEEP_SETTLED_MS, now(), checkAt],
        )
        return kept === 1
      }),
    async checkSubscriptionAt(id, checkAt) {
      await database.write((sql) =>
        sql.run('UPDATE purchase_widget_purchases SET check_at = ? WHERE id = ?', checkAt, id),
      )
    },
  }
}

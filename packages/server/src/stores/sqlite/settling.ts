/** Which order settles a purchase in SQLite, and which renew its subscription: each by one atomic write. */
import { KEEP_SETTLED_MS, type PurchaseRows } from '../store.ts'
import type { Database } from './database.ts'

export function sqliteSettling(
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

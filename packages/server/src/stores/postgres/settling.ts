/** Which order settles a purchase in Postgres, and which renew its subscription: each by one atomic write. */
import { KEEP_SETTLED_MS, type PurchaseRows } from '../store.ts'
import type { Database } from './database.ts'

export function postgresSettling(
  database: Database,
): Pick<PurchaseRows, 'claim' | 'renew' | 'checkSubscriptionAt'> {
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

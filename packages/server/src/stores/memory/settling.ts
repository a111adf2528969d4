/** Which order settles a purchase in memory, which renew its subscription, and when that is checked. */
import { KEEP_SETTLED_MS, type PurchaseRows } from '../store.ts'
import { recordOf, type RowsInMemory } from './rows.ts'

type Settling = Pick<PurchaseRows, 'claim' | 'renew' | 'subscriptionsDue' | 'checkSubscriptionAt'>

export function settlingInMemory(rows: RowsInMemory, now: () => number): Settling {
  return {
    async claim(id, orderId, checkAt = null) {
      const row = rows.find(id)
      if (!row) return null
      if (row.claimedBy === null) {
        row.claimedBy = orderId
        row.preloadedUntil = null
        row.checkAt = checkAt
        row.keptUntil = now() + KEEP_SETTLED_MS
      }
      return row.claimedBy
    },
    async renew(id, orderId, charges, checkAt = null) {
      const row = rows.find(id)
      if (!row || row.claimedBy === null) return false
      if (!row.renewedBy.has(orderId) && row.renewedBy.size >= charges) return false
      row.renewedBy.add(orderId)
      row.checkAt = checkAt
      row.keptUntil = now() + KEEP_SETTLED_MS
      return true
    },
    async subscriptionsDue(at, limit) {
      return rows
        .all()
        .filter(({ checkAt }) => checkAt !== null && checkAt <= at)
        .sort((one, other) => Number(one.checkAt) - Number(other.checkAt))
        .slice(0, limit)
        .map(recordOf)
    },
    async checkSubscriptionAt(id, checkAt) {
      const row = rows.find(id)
      if (row) row.checkAt = checkAt
    },
  }
}

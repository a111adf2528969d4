/** Which states of which orders were handled, as long as this process lives. */
import type { Handled } from '../store.ts'

/** @param hasPurchase whether a purchase has a row. */
export function memoryHandled(hasPurchase: (id: string) => Promise<boolean>, now: () => number): Handled {
  /** In the order in which they were added. */
  const records = new Map<string, { purchaseId: string | null; addedAt: number }>()
  const keyOf = (orderId: string, type: string): string => JSON.stringify([orderId, type])

  return {
    async has(orderId, type) {
      return records.has(keyOf(orderId, type))
    },
    async add({ orderId, type, purchaseId }) {
      const key = keyOf(orderId, type)
      if (records.has(key)) return false
      records.set(key, { purchaseId, addedAt: now() })
      return true
    },
    async sweep(before, limit) {
      let removed = 0
      for (const [key, { purchaseId, addedAt }] of records) {
        if (removed === limit || addedAt >= before) break
        if (purchaseId !== null && (await hasPurchase(purchaseId))) continue
        records.delete(key)
        removed++
      }
      return removed
    },
  }
}

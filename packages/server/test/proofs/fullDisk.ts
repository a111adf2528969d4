/** A process whose files have a size limit, as on a full disk: it adds webhooks' jobs to a SQLite store until that refuses. */
import { sqliteStore } from '../../src/stores/sqlite.ts'

const store = sqliteStore(process.argv[2] ?? '')
const acknowledged: string[] = []
let refusal = ''
for (let index = 0; index < 100_000 && refusal === ''; index++) {
  const key = JSON.stringify({ order_id: `order-${index}-${'x'.repeat(200)}` })
  try {
    await store.jobs.add(key, 'trusted')
    acknowledged.push(key)
  } catch (error) {
    refusal = String(error)
  }
}
process.send?.({ acknowledged: acknowledged.length, refusal })

/**
 * What ten million purchases take on disk, and how long what a shop does with them takes then, in SQLite and Postgres. The rows are copies of
 * one that the companion began; every tenth is settled by an order.
 *
 *     node bench/server/rows.ts [rows] [sqlite|postgres]      about 12 GB of the temporary folder for ten million, removed at the end
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSandbox } from '@purchase-widget/sandbox'
import { createCompanion, createPurchaseClient, type Store } from '@purchase-widget/server'
import { postgresStore } from '@purchase-widget/server/postgres'
import { sqliteStore } from '@purchase-widget/server/sqlite'
import { openPool, startPostgres } from '../../packages/server/test/support/postgres.ts'
import { median, rounded } from '../bench.ts'

const rows = Number(process.argv[2] ?? 10_000_000)
const only = process.argv[3]
const BATCH = 100_000
const LOOKUPS = 2_000
const product = { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' }
const order = { type: 'order_complete', state: 'matched' } as const

interface Filled {
  store: Store
  /** Ids of purchases from all over the table that nothing has settled. */
  ids: string[]
  bytes: number
  close(): Promise<void>
}

const kinds: Record<string, () => Promise<Filled>> = { sqlite: fillSqlite, postgres: fillPostgres }
const table: Record<string, Record<string, number>> = {}
for (const [kind, fill] of Object.entries(kinds)) {
  if (only !== undefined && only !== kind) continue
  const { store, ids, bytes, close } = await fill()
  try {
    table[kind] = {
      'bytes a row': Math.round(bytes / rows),
      'GB in all': rounded(bytes / 1e9),
      ...(await time(store, ids)),
    }
  } finally {
    await close()
  }
}
console.log(
  `\n${rows} purchases, every tenth settled by an order; milliseconds, one call after the other, ${LOOKUPS} of each`,
)
console.table(table)

/** Begins one purchase as a shop does, for the others to be copies of; gives its id. */
async function beginOne(store: Store): Promise<string> {
  const sandbox = await createSandbox()
  const client = createPurchaseClient({ ...sandbox.urls, ...sandbox.credentials })
  const url = 'https://shop.example/api/purchase-widget'
  const companion = createCompanion({
    pageToken: true,
    client,
    store,
    url,
    authorize: () => ({ customId: 'shopper-of-the-first' }),
    createPurchase: () => ({ params: product, returnUrl: '/thanks', reference: 'basket-81725' }),
  })
  try {
    const headers = { origin: 'https://shop.example', 'content-type': 'application/json' }
    const response = await companion.fetch(
      new Request(`${url}/token`, { method: 'POST', body: '{}', headers }),
    )
    const { purchaseId } = (await response.json()) as { purchaseId: string }
    const summary = JSON.stringify({
      id: 'order-of-the-first',
      ...order,
      ...product,
      custom_id: 'shopper-1',
      decline: null,
    })
    await store.purchases.claim(purchaseId, 'order-of-the-first')
    await store.purchases.record(purchaseId, { ...order, id: 'order-of-the-first', summary })
    return purchaseId
  } finally {
    await companion.close()
    await sandbox.close()
  }
}

async function fillSqlite(): Promise<Filled> {
  const folder = mkdtempSync(join(tmpdir(), 'purchase-widget-rows-'))
  const file = join(folder, 'purchases.sqlite')
  const store = sqliteStore(file)
  const first = await beginOne(store)
  const database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1500000; PRAGMA foreign_keys = OFF')
  const indexes = database
    .prepare(
      `SELECT name, sql FROM sqlite_master WHERE tbl_name = 'purchase_widget_purchases' AND type = 'index' AND sql IS NOT NULL`,
    )
    .all()
  for (const { name } of indexes) database.exec(`DROP INDEX ${String(name)}`)
  const insert = database.prepare(`
    WITH RECURSIVE numbers (i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < ?2 + ?3),
      ids AS MATERIALIZED (SELECT i, hex(randomblob(11)) AS new FROM numbers)
    INSERT INTO purchase_widget_purchases (id, shopper, product_id, by_link, by_other_site, begun_at, kept_until, claimed_by, purchase)
    SELECT new, 'shopper-' || i / 3, product_id, by_link, by_other_site, begun_at + i, kept_until, iif(i % 10, NULL, 'order-' || i),
      replace(replace(purchase, id, new), shopper, 'shopper-' || i / 3)
    FROM ids, (SELECT * FROM purchase_widget_purchases WHERE id = ?1)`)
  for (let from = 0; from < rows; from += BATCH) {
    insert.run(first, from, Math.min(BATCH, rows - from))
    // A log that grows to the size of the table would be counted with it.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    if (from % (10 * BATCH) === 0) console.log(`sqlite: ${from} rows`)
  }
  for (const { sql } of indexes) database.exec(String(sql))
  database.exec(`
    INSERT INTO purchase_widget_orders (purchase_id, id, type, state, summary)
    SELECT p.id, p.claimed_by, o.type, o.state, o.summary FROM purchase_widget_purchases AS p, purchase_widget_orders AS o
    WHERE p.claimed_by IS NOT NULL AND o.id = 'order-of-the-first' AND p.claimed_by <> o.id`)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const sample = database.prepare(
    'SELECT id FROM purchase_widget_purchases WHERE rowid = ? AND claimed_by IS NULL',
  )
  const ids: string[] = []
  while (ids.length < LOOKUPS * 2) {
    const row = sample.get(2 + Math.floor(Math.random() * rows))
    if (row) ids.push(String(row.id))
  }
  database.close()
  return {
    store,
    ids,
    bytes: statSync(file).size,
    async close() {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function fillPostgres(): Promise<Filled> {
  const server = await startPostgres()
  const pool = openPool(server.url)
  const store = postgresStore(pool)
  const first = await beginOne(store)
  const of = 'purchase_widget.purchases'
  const { rows: indexes } = await pool.query(
    `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'purchase_widget' AND tablename = 'purchases' AND indexname <> 'purchases_pkey'`,
  )
  for (const { indexname } of indexes) await pool.query(`DROP INDEX purchase_widget.${indexname}`)
  for (let from = 0; from < rows; from += BATCH) {
    await pool.query(
      `WITH ids AS MATERIALIZED (
        SELECT i, substr(md5(random()::text || i), 1, 22) AS new FROM generate_series($2::bigint, $3::bigint) AS i)
      INSERT INTO ${of} (id, shopper, product_id, by_link, by_other_site, begun_at, kept_until, claimed_by, purchase)
      SELECT new, 'shopper-' || i / 3, product_id, by_link, by_other_site, begun_at + i, kept_until, CASE WHEN i % 10 = 0 THEN 'order-' || i END,
        replace(replace(purchase, id, new), shopper, 'shopper-' || i / 3)
      FROM ids, (SELECT * FROM ${of} WHERE id = $1) AS first`,
      [first, from, Math.min(from + BATCH, rows) - 1],
    )
    if (from % (10 * BATCH) === 0) console.log(`postgres: ${from} rows`)
  }
  for (const { indexdef } of indexes) await pool.query(indexdef)
  await pool.query(`
    INSERT INTO purchase_widget.orders (purchase_id, id, type, state, summary)
    SELECT p.id, p.claimed_by, o.type, o.state, o.summary FROM ${of} AS p, purchase_widget.orders AS o
    WHERE p.claimed_by IS NOT NULL AND o.id = 'order-of-the-first' AND p.claimed_by <> o.id`)
  await pool.query('ANALYZE')
  const sampled = await pool.query(
    `SELECT id FROM ${of} TABLESAMPLE BERNOULLI ($1) WHERE claimed_by IS NULL ORDER BY random() LIMIT $2`,
    [Math.min(100, (LOOKUPS * 1_000) / rows), LOOKUPS * 2],
  )
  const sizes = await pool.query(
    `SELECT pg_total_relation_size('${of}') + pg_total_relation_size('purchase_widget.orders') AS bytes`,
  )
  return {
    store,
    ids: sampled.rows.map(({ id }) => String(id)),
    bytes: Number(sizes.rows[0]?.bytes),
    async close() {
      await store.close()
      await pool.end()
      await server.close()
    },
  }
}

async function time({ purchases }: Store, ids: string[]): Promise<Record<string, number>> {
  const [known = [], claimed = []] = [ids.slice(0, LOOKUPS), ids.slice(LOOKUPS)]
  const begunAt = Date.now()
  const [template] = await purchases.settledFor('shopper-of-the-first', product.product_id)
  if (!template) throw new Error('The first purchase is not there.')
  const begun = Array.from({ length: LOOKUPS }, (_, index) => ({
    ...template.purchase,
    id: `begun-${index}`.padEnd(22, '-'),
    shopper: { customId: `shopper-${Math.floor(Math.random() * (rows / 3))}` },
    begunAt,
    validUntil: begunAt + 86_400_000,
  }))
  const shopper = (): string => `shopper-${Math.floor(Math.random() * (rows / 3))}`
  return {
    ...(await each('find', known, async (id) => {
      if (!(await purchases.find(id))) throw new Error('A row is missing.')
    })),
    ...(await each('claim', claimed, (id) => purchases.claim(id, `order of ${id}`))),
    ...(await each('settledFor', known, () => purchases.settledFor(shopper(), product.product_id))),
    ...(await each('begin', begun, (purchase) => purchases.begin(purchase))),
    ...(await each('unsettled, 100', known.slice(0, 100), () =>
      purchases.unsettled({ from: begunAt - 3_600_000, to: begunAt + 3_600_000, limit: 100 }),
    )),
  }
}

async function each<T>(
  name: string,
  items: readonly T[],
  call: (item: T) => Promise<unknown>,
): Promise<Record<string, number>> {
  const times: number[] = []
  for (const item of items) {
    const from = performance.now()
    await call(item)
    times.push(performance.now() - from)
  }
  const slowest = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
  return { [`${name}, median`]: rounded(median(times)), [`${name}, p99`]: rounded(slowest) }
}

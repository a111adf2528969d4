/** The tables of the SQLite store. A migration that has been published is never changed: another one follows it. */

export const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE purchase_widget_purchases (
      id TEXT PRIMARY KEY,
      shopper TEXT NOT NULL,
      product_id TEXT,
      begun_at INTEGER NOT NULL,
      kept_until INTEGER NOT NULL,
      claimed_by TEXT,
      by_link INTEGER NOT NULL,
      by_other_site INTEGER NOT NULL,
      preloaded_until INTEGER,
      check_at INTEGER,
      purchase TEXT NOT NULL
    ) STRICT`,
    // With `claimed_by` and `by_link`: how many rows of a shopper may have to be evicted is told by the index alone.
    `CREATE INDEX purchase_widget_purchases_shopper
      ON purchase_widget_purchases (shopper, begun_at, id, claimed_by, by_link)`,
    `CREATE INDEX purchase_widget_purchases_unsettled ON purchase_widget_purchases (begun_at, id)
      WHERE claimed_by IS NULL`,
    'CREATE INDEX purchase_widget_purchases_kept ON purchase_widget_purchases (kept_until)',
    `CREATE INDEX purchase_widget_purchases_check ON purchase_widget_purchases (check_at)
      WHERE check_at IS NOT NULL`,
    `CREATE TABLE purchase_widget_orders (
      number INTEGER PRIMARY KEY,
      purchase_id TEXT NOT NULL REFERENCES purchase_widget_purchases (id) ON DELETE CASCADE,
      id TEXT NOT NULL,
      type TEXT NOT NULL,
      state TEXT NOT NULL,
      summary TEXT NOT NULL,
      UNIQUE (purchase_id, id)
    ) STRICT`,
    `CREATE TABLE purchase_widget_renewals (
      purchase_id TEXT NOT NULL REFERENCES purchase_widget_purchases (id) ON DELETE CASCADE,
      order_id TEXT NOT NULL,
      PRIMARY KEY (purchase_id, order_id)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE purchase_widget_jobs (
      number INTEGER PRIMARY KEY,
      queue TEXT NOT NULL,
      key TEXT NOT NULL,
      due_at INTEGER NOT NULL,
      failures INTEGER NOT NULL DEFAULT 0,
      receipt TEXT NOT NULL,
      UNIQUE (queue, key)
    ) STRICT`,
    'CREATE INDEX purchase_widget_jobs_due ON purchase_widget_jobs (queue, due_at)',
    `CREATE TABLE purchase_widget_dead_letters (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      key TEXT NOT NULL UNIQUE,
      reason TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      died_at INTEGER NOT NULL
    ) STRICT`,
    `CREATE TABLE purchase_widget_handled (
      order_id TEXT NOT NULL,
      type TEXT NOT NULL,
      purchase_id TEXT,
      handled_at INTEGER NOT NULL,
      PRIMARY KEY (order_id, type)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX purchase_widget_handled_at ON purchase_widget_handled (handled_at)',
    `CREATE TABLE purchase_widget_values (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL,
      ends_at INTEGER
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE purchase_widget_locks (
      key TEXT PRIMARY KEY,
      holder TEXT NOT NULL,
      ends_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE purchase_widget_counts (
      name TEXT NOT NULL,
      key TEXT NOT NULL,
      calls INTEGER NOT NULL,
      ends_at INTEGER NOT NULL,
      PRIMARY KEY (name, key)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX purchase_widget_counts_ends ON purchase_widget_counts (ends_at)',
  ],
]

/** The database interface that the stores use, and their tables: SQL that both SQLite and Postgres understand; a `Dialect` has the differences. */

/** Columns by name. Only the stores write to their tables, so readers can rely on the types. */
export type Row = Readonly<Record<string, unknown>>

export type Value = string | number | null

/** The values replace `$1`, `$2` and so on. */
export type Statement = readonly [text: string, ...values: Value[]]

/** A transaction: each yielded statement is run and returns its rows. It may be rerun from the start. */
export type Steps<T> = () => Generator<Statement, T, Row[]>

export interface Dialect {
  readonly prefix: string
  /** Milliseconds since 1970, by the database's clock. */
  readonly now: string
  /** Type of the column that numbers rows in insertion order. */
  readonly numbered: string
  /** Makes a text column compare byte by byte. */
  readonly byBytes: string
  /** The orders of a purchase, as JSON. */
  readonly ordersAsJson: string
  /** Locks the rows that a query has found. */
  readonly forUpdate: string
  /** The same, but skips rows that others have locked. */
  readonly skipLocked: string
}

export interface Database {
  readonly dialect: Dialect
  read(...statement: Statement): Promise<Row[]>
  /** One statement, applied atomically. */
  write(...statement: Statement): Promise<Row[]>
  transaction<T>(steps: Steps<T>): Promise<T>
  /** Statements that exclude every other transaction that locks the same name. */
  lock(name: string): readonly Statement[]
}

/** `LIMIT` for a query that needs only an `OFFSET`, which SQLite does not accept alone. */
export const NO_LIMIT = 1_000_000_000

/** The tables. A published migration is never changed; a new one is added instead. */
const migrations: readonly ((dialect: Dialect) => readonly string[])[] = [
  ({ prefix, numbered, byBytes }) => [
    `CREATE TABLE ${prefix}purchases (
      id text${byBytes} PRIMARY KEY,
      shopper text NOT NULL,
      product_id text,
      payer text,
      begun_at bigint NOT NULL,
      kept_until bigint NOT NULL,
      claimed_by text,
      kind text NOT NULL,
      preloaded_until bigint,
      check_at bigint,
      purchase text NOT NULL
    )`,
    // Includes `claimed_by` and `kind`, so that the index alone shows how many purchase records of a shopper may have to be evicted.
    `CREATE INDEX purchase_widget_purchases_shopper
      ON ${prefix}purchases (shopper, begun_at, id, claimed_by, kind)`,
    `CREATE INDEX purchase_widget_purchases_unsettled ON ${prefix}purchases (begun_at, id)
      WHERE claimed_by IS NULL`,
    `CREATE INDEX purchase_widget_purchases_kept ON ${prefix}purchases (kept_until)`,
    `CREATE INDEX purchase_widget_purchases_check ON ${prefix}purchases (check_at) WHERE check_at IS NOT NULL`,
    `CREATE TABLE ${prefix}orders (
      number ${numbered},
      purchase_id text${byBytes} NOT NULL REFERENCES ${prefix}purchases (id) ON DELETE CASCADE,
      id text NOT NULL,
      type text NOT NULL,
      state text NOT NULL,
      summary text NOT NULL,
      UNIQUE (purchase_id, id)
    )`,
    `CREATE TABLE ${prefix}renewals (
      purchase_id text${byBytes} NOT NULL REFERENCES ${prefix}purchases (id) ON DELETE CASCADE,
      order_id text NOT NULL,
      PRIMARY KEY (purchase_id, order_id)
    )`,
    `CREATE TABLE ${prefix}jobs (
      number ${numbered},
      queue text NOT NULL,
      key text NOT NULL,
      due_at bigint NOT NULL,
      failures integer NOT NULL DEFAULT 0,
      receipt text NOT NULL,
      UNIQUE (queue, key)
    )`,
    `CREATE INDEX purchase_widget_jobs_due ON ${prefix}jobs (queue, due_at, number)`,
    `CREATE TABLE ${prefix}dead_letters (
      number ${numbered},
      key text NOT NULL UNIQUE,
      reason text NOT NULL,
      attempts integer NOT NULL,
      died_at bigint NOT NULL
    )`,
    `CREATE TABLE ${prefix}handled (
      order_id text NOT NULL,
      type text NOT NULL,
      purchase_id text${byBytes} NOT NULL,
      handled_at bigint NOT NULL,
      PRIMARY KEY (order_id, type)
    )`,
    `CREATE INDEX purchase_widget_handled_at ON ${prefix}handled (handled_at)`,
    `CREATE TABLE ${prefix}values (key text PRIMARY KEY, value text NOT NULL, ends_at bigint)`,
  ],
]

export const LATEST: number = migrations.length

/** Runs the migrations that this database still lacks. */
export function* migrate(dialect: Dialect): ReturnType<Steps<void>> {
  const { prefix } = dialect
  yield [`CREATE TABLE IF NOT EXISTS ${prefix}migrations (version integer PRIMARY KEY)`]
  const done = yield [`SELECT version FROM ${prefix}migrations`]
  for (const [index, statementsOf] of migrations.slice(done.length).entries()) {
    for (const statement of statementsOf(dialect)) yield [statement]
    yield [`INSERT INTO ${prefix}migrations VALUES ($1)`, done.length + index + 1]
  }
}

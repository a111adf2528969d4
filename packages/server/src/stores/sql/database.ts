/** What the stores ask of a database: SQL that SQLite and Postgres both understand, with the few words in which they differ as a `Dialect`. */

/** Columns by name. Only the stores write their tables, so that readers know what is in them. */
export type Row = Readonly<Record<string, unknown>>

export type Value = string | number | null

/** Its values stand for `$1`, `$2` and so on. */
export type Statement = readonly [text: string, ...values: Value[]]

/** A transaction: each statement that it yields is run, and gives its rows. It may be run again from the start. */
export type Steps<T> = () => Generator<Statement, T, Row[]>

export interface Dialect {
  /** What each table's name begins with. */
  readonly prefix: string
  /** Milliseconds since 1970: by the clock that the store was given, or the server's. */
  readonly now: string
  /** The same by the machine's own clock: a lock is held in real time, whatever the store was told that the time is. */
  readonly realNow: string
  /** The column that numbers rows as they are added. */
  readonly numbered: string
  /** Makes a column of text be compared byte by byte. */
  readonly byBytes: string
  /** Before `TABLE`, for what may be lost in a crash of the server. */
  readonly unlogged: string
  /** The orders of a purchase, as JSON. */
  readonly ordersAsJson: string
  /** Keeps others from the rows that a query has found. */
  readonly forUpdate: string
  /** The same, and leaves out rows that others keep. */
  readonly skipLocked: string
}

export interface Database {
  readonly dialect: Dialect
  read(...statement: Statement): Promise<Row[]>
  /** One statement, as a whole or not at all. */
  write(...statement: Statement): Promise<Row[]>
  transaction<T>(steps: Steps<T>): Promise<T>
  /** Statements after which nobody else is in a transaction that names the same thing. */
  lock(name: string): readonly Statement[]
}

/** `LIMIT` for a query that has only an `OFFSET`, which SQLite does not know alone. */
export const NO_LIMIT = 1_000_000_000

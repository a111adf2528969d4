/** A thin, synchronous wrapper around node:sqlite: it caches prepared statements, and transactions do not nest. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { migrations } from './migrations.ts'

/** Loaded so that an old Node gets the error below: an import of `node:sqlite` would fail first. */
const sqliteModule = process.getBuiltinModule?.('node:sqlite')

// The same message as in bin/sandbox.cjs, for programs that import the package.
if (!sqliteModule)
  throw new Error(`The sandbox needs Node 22.13 or newer, and this is Node ${process.versions.node}.`)

const { DatabaseSync: Sqlite } = sqliteModule

type Row = Record<string, SQLInputValue>

export interface Database {
  all<Found>(sql: string, ...values: SQLInputValue[]): Found[]
  get<Found>(sql: string, ...values: SQLInputValue[]): Found | undefined
  /** Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number
  insert(table: string, row: Row): void
  /** Updates the row identified by the column `key` with the other columns. */
  update(table: string, key: string, row: Row): void
  /** Commits all of `work`, or none of it. */
  transaction<Result>(work: () => Result): Result
  close(): void
}

/**
 * Opens a database file, or one in memory, and migrates it to the newest schema.
 *
 * A file uses a write-ahead log (WAL) and is synced at each commit, so acknowledged writes survive a crash of the process or of
 * the machine. The lock is exclusive: two sandboxes on one file would not see each other's limits. An in-memory schema `snapshots`
 * is attached.
 */
export function openDatabase(file: string | undefined): Database {
  const sqlite = open(file)
  const statements = new Map<string, StatementSync>()

  function statement(sql: string): StatementSync {
    const known = statements.get(sql)
    if (known) return known
    const fresh = sqlite.prepare(sql)
    statements.set(sql, fresh)
    return fresh
  }

  return {
    // A row has the type that the caller specifies: the columns come from our own schema (migrations.ts).
    all: <Found>(sql: string, ...values: SQLInputValue[]) => statement(sql).all(...values) as Found[],
    get: <Found>(sql: string, ...values: SQLInputValue[]) =>
      statement(sql).get(...values) as Found | undefined,
    run: (sql, ...values) => Number(statement(sql).run(...values).changes),
    insert(table, row) {
      const columns = Object.keys(row)
      const places = columns.map(() => '?').join(', ')
      statement(`insert into ${table} (${columns.join(', ')}) values (${places})`).run(...Object.values(row))
    },
    update(table, key, { [key]: id, ...columns }) {
      const changes = Object.keys(columns).map((column) => `${column} = ?`)
      const sql = `update ${table} set ${changes.join(', ')} where ${key} = ?`
      statement(sql).run(...Object.values(columns), id ?? null)
    },
    transaction(work) {
      sqlite.exec('begin immediate')
      try {
        const result = work()
        sqlite.exec('commit')
        return result
      } catch (error) {
        sqlite.exec('rollback')
        throw error
      }
    },
    close: () => sqlite.close(),
  }
}

function open(file: string | undefined): DatabaseSync {
  try {
    const sqlite = new Sqlite(file ?? ':memory:')
    sqlite.exec('pragma locking_mode = exclusive')
    sqlite.exec('pragma journal_mode = wal')
    sqlite.exec('pragma synchronous = full')
    sqlite.exec("attach ':memory:' as snapshots")
    migrate(sqlite)
    return sqlite
  } catch (cause) {
    throw new Error(whyNotOpened(file ?? ':memory:', cause), { cause })
  }
}

function migrate(sqlite: DatabaseSync): void {
  const version = Number(sqlite.prepare('pragma user_version').get()?.user_version)
  if (version > migrations.length)
    throw new Error('it was written by a newer sandbox; use that one, or another file')
  sqlite.exec('begin immediate')
  for (const migration of migrations.slice(version)) sqlite.exec(migration)
  sqlite.exec(`pragma user_version = ${migrations.length}`)
  sqlite.exec('commit')
}

function whyNotOpened(file: string, cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const advice = /locked/.test(reason)
    ? 'Another sandbox has it open: stop that one, or name another file. '
    : ''
  return `The database ${file} can't be opened: ${reason}. ${advice}`.trim()
}

/** Reads a named value from the database, or undefined: credentials, switches, limits and the clock. */
export function readSetting<Value>(db: Database, name: string): Value | undefined {
  const row = db.get<{ value: string }>('select value from settings where name = ?', name)
  // Only this sandbox writes them.
  return row && (JSON.parse(row.value) as Value)
}

export function writeSetting(db: Database, name: string, value: unknown): void {
  db.run('insert or replace into settings (name, value) values (?, ?)', name, JSON.stringify(value))
}

/**
 * Builds the query condition for the identifiers in a request, of which a row must match all or any. True for every row
 * when none is given; an empty identifier counts as not given. The names are our own columns.
 */
export function where(
  identifiers: Readonly<Record<string, string | undefined>>,
  match: 'all' | 'any',
): { condition: string; values: string[] } {
  const given = Object.entries(identifiers).flatMap(([column, value]) => (value ? [{ column, value }] : []))
  const joined = given.map(({ column }) => `${column} = ?`).join(match === 'all' ? ' and ' : ' or ')
  return { condition: joined ? `(${joined})` : 'true', values: given.map(({ value }) => value) }
}

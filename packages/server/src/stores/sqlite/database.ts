/** A connection to the store's file, opened when it is first needed. Waits for other writers without blocking the event loop. */
import { closeSync, openSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import { InvalidInputError } from '../../errors.ts'
import type { Row } from '../rows.ts'
import { ANSWER_MS } from '../store.ts'
import { migrations } from './schema.ts'

export interface Sql {
  all(sql: string, ...values: SQLInputValue[]): Row[]
  /** Gives the number of rows that were changed. */
  run(sql: string, ...values: SQLInputValue[]): number
}

export interface Database {
  read<T>(task: (sql: Sql) => T): Promise<T>
  /** One transaction, which no other writer comes between. What is asked for at the same time shares one, since a commit costs more than a write. */
  write<T>(task: (sql: Sql) => T): Promise<T>
  close(): void
}

/** How long SQLite itself waits for another writer; the whole process stands still in that time. */
const BLOCK_MS = 20

export function openWhenNeeded(file: string): Database {
  let connection: Connection | null = null

  async function run<T>(task: (connection: Connection) => T): Promise<T> {
    const giveUpAt = performance.now() + ANSWER_MS
    for (let waitMs = 5; ; waitMs = Math.min(100, waitMs * 2)) {
      try {
        connection ??= open(file)
        return task(connection)
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) throw error
        await setTimeout(waitMs * (0.5 + Math.random()))
      }
    }
  }

  return {
    read: (task) => run(({ sql }) => task(sql)),
    write: inBatches((tasks) => run((open) => open.transaction(() => tasks.map((task) => task(open.sql))))),
    close() {
      connection?.close()
      connection = null
    },
  }
}

interface Waiting {
  task: (sql: Sql) => unknown
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/** Gathers what is to be written in one turn of the event loop. Where one task fails, each has a transaction of its own. */
function inBatches(transact: (tasks: readonly Waiting['task'][]) => Promise<unknown[]>): Database['write'] {
  let waiting: Waiting[] = []

  async function alone({ task, resolve, reject }: Waiting): Promise<void> {
    await transact([task]).then(([result]) => resolve(result), reject)
  }

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const results = await transact(batch.map(({ task }) => task))
      batch.forEach(({ resolve }, at) => void resolve(results[at]))
    } catch (error) {
      if (batch.length > 1 && !isBusy(error)) for (const one of batch) await alone(one)
      else for (const { reject } of batch) reject(error)
    }
  }

  return <T>(task: (sql: Sql) => T) =>
    new Promise<T>((resolve, reject) => {
      // The result is this task's.
      const waits = waiting.push({ task, resolve: resolve as Waiting['resolve'], reject })
      if (waits === 1) setImmediate(flush)
    })
}

interface Connection {
  readonly sql: Sql
  transaction<T>(task: () => T): T
  close(): void
}

function open(file: string): Connection {
  const database = openFile(file)
  try {
    database.exec(`PRAGMA busy_timeout = ${BLOCK_MS}; PRAGMA foreign_keys = ON`)
    // A change of the journal's mode is not waited for by SQLite, but `run` comes again.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    const connection = connectionOf(database)
    connection.transaction(() => migrate(connection.sql))
    return connection
  } catch (error) {
    database.close()
    throw error
  }
}

function openFile(file: string): DatabaseSync {
  // Asked for here, and not imported, so that a runtime without it says what is missing.
  const sqlite = globalThis.process?.getBuiltinModule?.('node:sqlite')
  if (!sqlite) {
    throw new InvalidInputError(
      'configuration',
      'sqliteStore needs node:sqlite: Node 22.13, Deno 2.2, or Bun 1.4, or later.',
    )
  }
  try {
    // It holds shoppers' ids and the access token: for this user alone.
    if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600))
    return new sqlite.DatabaseSync(file)
  } catch (cause) {
    throw new InvalidInputError(
      'configuration',
      `sqliteStore cannot open ${file}: its folder must exist and be writable.`,
      {
        cause,
      },
    )
  }
}

function connectionOf(database: DatabaseSync): Connection {
  const statements = new Map<string, StatementSync>()

  function prepared(sql: string): StatementSync {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  const sql: Sql = {
    all: (text, ...values) => prepared(text).all(...values),
    run: (text, ...values) => Number(prepared(text).run(...values).changes),
  }
  return {
    sql,
    transaction(task) {
      sql.run('BEGIN IMMEDIATE')
      try {
        const result = task()
        sql.run('COMMIT')
        return result
      } catch (error) {
        if (inTransaction(database)) sql.run('ROLLBACK')
        throw error
      }
    },
    close: () => database.close(),
  }
}

function migrate(sql: Sql): void {
  sql.run('CREATE TABLE IF NOT EXISTS purchase_widget_migrations (version INTEGER PRIMARY KEY)')
  const done = sql.all('SELECT version FROM purchase_widget_migrations').length
  migrations.slice(done).forEach((statements, index) => {
    for (const statement of statements) sql.run(statement)
    sql.run('INSERT INTO purchase_widget_migrations VALUES (?)', done + index + 1)
  })
}

const BUSY = 5
const LOCKED = 6

function isBusy(error: unknown): boolean {
  // The low byte is the primary code, whatever extended code SQLite gives.
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === BUSY || code === LOCKED
}

/** What node:sqlite, better-sqlite3 and bun:sqlite have in common. */
export interface SqliteConnection {
  /** Of node:sqlite since Node 22.16. */
  readonly isTransaction?: boolean
  /** Of better-sqlite3 and bun:sqlite. */
  readonly inTransaction?: boolean
  prepare(sql: string): { run(...values: SqliteValue[]): { changes: number | bigint } }
}

export type SqliteValue = string | number | null

export function inTransaction(connection: SqliteConnection): boolean {
  const { isTransaction, inTransaction } = connection
  return isTransaction ?? inTransaction ?? !canBegin(connection)
}

/** SQLite refuses a transaction inside another, and leaves the other as it is. One that was begun here holds no lock yet. */
function canBegin(connection: SqliteConnection): boolean {
  try {
    connection.prepare('BEGIN').run()
  } catch (error) {
    if (error instanceof Error && error.message.includes('within a transaction')) return false
    throw error
  }
  connection.prepare('ROLLBACK').run()
  return true
}

/** A connection to the store's file, opened when it is first needed. Waits for other writers without blocking the event loop. */
import { closeSync, existsSync, openSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import { misconfigured } from '../errors.ts'
import { type Database, type Dialect, migrate, type Row, type Statement, type Steps } from './sql/database.ts'
import { ANSWER_MS } from './store.ts'

export const dialect: Dialect = {
  prefix: 'purchase_widget_',
  now: "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)",
  numbered: 'INTEGER PRIMARY KEY',
  byBytes: '',
  ordersAsJson:
    "json_group_array(json_object('id', id, 'type', type, 'state', state, 'summary', summary) ORDER BY number)",
  // Only one transaction writes at a time.
  forUpdate: '',
  skipLocked: '',
}

/** How long SQLite itself waits for another writer; this blocks the whole process. */
const BLOCK_MS = 20

export function openWhenNeeded(file: string): Database & { close(): void } {
  let connection: Connection | null = null

  async function attempt<T>(task: (connection: Connection) => T): Promise<T> {
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

  const transaction = inBatches((all) => attempt((open) => open.transaction(all)))
  return {
    dialect,
    read: (...statement) => attempt(({ run }) => run(statement)),
    write: (...statement) => transaction(() => alone(statement)),
    transaction,
    lock: () => [],
    close() {
      connection?.close()
      connection = null
    },
  }
}

function* alone(statement: Statement): ReturnType<Steps<Row[]>> {
  return yield statement
}

interface Waiting {
  steps: Steps<unknown>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Batches the writes of one turn of the event loop, since a commit costs more than a write. If a batch fails, each write gets a
 * transaction of its own.
 */
function inBatches(
  transact: (all: readonly Steps<unknown>[]) => Promise<unknown[]>,
): Database['transaction'] {
  let waiting: Waiting[] = []

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const results = await transact(batch.map(({ steps }) => steps))
      batch.forEach(({ resolve }, at) => void resolve(results[at]))
    } catch (error) {
      const eachAlone = batch.length > 1 && !isBusy(error)
      for (const { steps, resolve, reject } of batch) {
        if (eachAlone) await transact([steps]).then(([result]) => resolve(result), reject)
        else reject(error)
      }
    }
  }

  return <T>(steps: Steps<T>) =>
    new Promise<T>((resolve, reject) => {
      // The result has the type of these steps.
      const waits = waiting.push({ steps, resolve: resolve as Waiting['resolve'], reject })
      if (waits === 1) setImmediate(flush)
    })
}

interface Connection {
  run(statement: Statement): Row[]
  /** Runs all of them in one transaction, with no other writer in between. */
  transaction(all: readonly Steps<unknown>[]): unknown[]
  close(): void
}

function open(file: string): Connection {
  const database = openFile(file)
  try {
    database.exec(`PRAGMA busy_timeout = ${BLOCK_MS}; PRAGMA foreign_keys = ON`)
    // SQLite does not wait for a lock to change the journal mode, but `attempt` retries.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    const connection = connectionOf(database)
    connection.transaction([() => migrate(dialect)])
    return connection
  } catch (error) {
    database.close()
    const remedy = remedies.get(codeOf(error))
    throw remedy ? cannotOpen(file, `${(error as Error).message}. ${remedy}`, error) : error
  }
}

function openFile(file: string): DatabaseSync {
  // Loaded here rather than imported, so that a runtime without it gets an error that says what is missing.
  const sqlite = globalThis.process?.getBuiltinModule?.('node:sqlite')
  if (!sqlite) {
    throw misconfigured('sqliteStore needs node:sqlite: Node 22.13, Deno 2.2, or Bun 1.4, or later.')
  }
  try {
    if (file !== ':memory:' && !existsSync(file)) makePrivate(file)
    return new sqlite.DatabaseSync(file)
  } catch (cause) {
    throw cannotOpen(file, `its folder must exist and be writable. ${NAME_ANOTHER}`, cause)
  }
}

/**
 * The file holds shoppers' ids and the access token: only this user may read it. Not done to a file that exists: closing it would free the locks
 * of every connection that this process has to it (POSIX), and SQLite would let another process delete its log.
 */
const makePrivate = (file: string): void => closeSync(openSync(file, 'a', 0o600))

const NAME_ANOTHER = 'Name a SQLite file, or one that is not there yet.'

/** What to do, by SQLite's code. */
const remedies: ReadonlyMap<number, string> = new Map([
  [11, 'Restore the file from a backup.'],
  [26, NAME_ANOTHER],
])

const cannotOpen = (file: string, problem: string, cause: unknown): Error =>
  misconfigured(`sqliteStore cannot open ${file}: ${problem}`, cause)

function connectionOf(database: DatabaseSync): Connection {
  const prepared = new Map<string, StatementSync>()

  function run([text, ...values]: Statement): Row[] {
    // SQLite's numbered placeholders begin with a question mark.
    const statement = prepared.get(text) ?? database.prepare(text.replaceAll('$', '?'))
    prepared.set(text, statement)
    return statement.all(...values)
  }

  function runAll(steps: Steps<unknown>): unknown {
    const running = steps()
    let step = running.next()
    while (!step.done) step = running.next(run(step.value))
    return step.value
  }

  /** After some failures, such as a full disk, SQLite itself has ended the transaction; Node 22.13 cannot say whether it has. */
  function rollBack(): void {
    try {
      run(['ROLLBACK'])
    } catch {}
  }

  return {
    run,
    transaction(all) {
      run(['BEGIN IMMEDIATE'])
      try {
        const results = all.map(runAll)
        run(['COMMIT'])
        return results
      } catch (error) {
        rollBack()
        throw error
      }
    },
    close: () => database.close(),
  }
}

const BUSY = 5
const LOCKED = 6

const isBusy = (error: unknown): boolean => [BUSY, LOCKED].includes(codeOf(error))

/** SQLite's primary code, which is the low byte of whatever extended code it reports; 0 for other errors. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0

/** A process with a store over the test's data: started, given one task per message, and killed. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import {
  createPurchaseClient,
  createTokenLease,
  type PurchaseClientOptions,
  type TokenLease,
} from '../../src/index.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'

export type StoreOf = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string; schema: string }

export type StoreCommand =
  | { do: 'holdLock'; key: string }
  /** Answered with `Tokens`. */
  | { do: 'leaseToken'; client: PurchaseClientOptions; callers: number }

export interface Tokens {
  /** Each token that a caller received, once. */
  tokens: string[]
  errors: string[]
}

export interface StoreProcess {
  run(command: StoreCommand): Promise<unknown>
  /** SIGKILL. */
  kill(): Promise<void>
}

export async function startStoreProcess(of: StoreOf): Promise<StoreProcess> {
  const child = fork(import.meta.filename, [JSON.stringify(of)])
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The process has ended.')))
  ended.catch(() => {})
  const answer = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), ended]))[0]
  await answer()
  return {
    async run(command) {
      const answered = answer()
      child.send(command)
      return answered
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Runs in the process itself. */
function work(store: Store): void {
  let lease: TokenLease | undefined
  const commands: {
    [Do in StoreCommand['do']]: (command: Extract<StoreCommand, { do: Do }>) => Promise<unknown>
  } = {
    holdLock: ({ key }) =>
      new Promise((held) => {
        store.withLock(key, () => {
          held(null)
          return new Promise(() => {})
        })
      }),
    async leaseToken({ client, callers }): Promise<Tokens> {
      const { get } = lease ?? createTokenLease({ client: createPurchaseClient(client), store })
      lease = { get }
      const results = await Promise.allSettled(Array.from({ length: callers }, () => get()))
      const given = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value.accessToken] : []))
      const errors = results.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
      return { tokens: [...new Set(given)], errors }
    },
  }
  process.on('message', async (command: StoreCommand) => {
    process.send?.(await commands[command.do](command as never))
  })
  process.send?.('ready')
}

if (process.argv[1] === import.meta.filename) {
  const of = JSON.parse(process.argv[2] ?? '') as StoreOf
  work(
    of.kind === 'sqlite'
      ? sqliteStore(of.file)
      : postgresStore(new pg.Pool({ connectionString: of.url }), { schema: of.schema }),
  )
}

/** Starts a process with a store, and kills it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { PurchaseClientOptions } from '../../src/index.ts'

export type StoreOf = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string; schema: string }

export type StoreCommand =
  | { do: 'claimPurchases'; ids: string[]; orderId: string }
  | { do: 'holdLock'; key: string }
  /** Answered with `Tokens`. */
  | { do: 'leaseToken'; client: PurchaseClientOptions; callers: number }

export interface Tokens {
  /** Each token that a caller got, once. */
  tokens: string[]
  errors: string[]
}

export interface StoreProcess {
  run(command: StoreCommand): Promise<unknown>
  /** SIGKILL. */
  kill(): Promise<void>
}

export async function startStoreProcess(of: StoreOf): Promise<StoreProcess> {
  const child = fork(fileURLToPath(new URL('storeWorker.ts', import.meta.url)), [JSON.stringify(of)])
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

/** Remembers the last steps of each shopper's story in memory; a demo's story need not outlive it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Step, TimedStep } from '../exchange.ts'

/** How many steps are kept: some twenty purchases. */
const CAPACITY = 500

type Entry = TimedStep & { shopper: string }

export interface Journal {
  /** Does something on a shopper's behalf: steps are that shopper's, until it has ended. Null: nobody's, and not kept. */
  as<Result>(shopper: string | null, action: () => Promise<Result>): Promise<Result>
  /** Does something whose shopper shows in its result. When it shows none, steps belong to whoever it is done for. */
  about<Result>(
    action: () => Promise<Result>,
    shopperOf: (result: Result) => string | undefined,
  ): Promise<Result>
  /** `at` is when a page saw it, in epoch milliseconds; default: now. `shopper`: default whoever it is done for. */
  note(step: Step, options?: { at?: number; shopper?: string | null }): void
  /** Calls the listener with each step of one shopper, past ones first; gives back the undo. */
  follow(shopper: string, listener: (step: TimedStep) => void): () => void
}

/** On whose behalf something is done. What it leaves behind, such as a timer, acts for nobody once it has ended. */
interface Scope {
  note: ((step: Step, at: number) => void) | null
}

export function createJournal(now: () => number = Date.now): Journal {
  const scopes = new AsyncLocalStorage<Scope>()
  const listeners = new Set<(entry: Entry) => void>()
  const entries: Entry[] = []
  let lastId = 0

  function keep(shopper: string | null | undefined, step: Step, at: number): void {
    if (!shopper) return
    lastId += 1
    const entry: Entry = { ...step, id: lastId, at, shopper }
    entries.push(entry)
    if (entries.length > CAPACITY) entries.shift()
    for (const listener of listeners) listener(entry)
  }

  async function within<Result>(note: Scope['note'], action: () => Promise<Result>): Promise<Result> {
    const scope: Scope = { note }
    try {
      return await scopes.run(scope, action)
    } finally {
      scope.note = null
    }
  }

  return {
    as: (shopper, action) => within((step, at) => keep(shopper, step, at), action),
    async about(action, shopperOf) {
      const around = scopes.getStore()
      const held: [Step, number][] = []
      let shopper: string | undefined
      try {
        const result = await within((step, at) => held.push([step, at]), action)
        shopper = shopperOf(result)
        return result
      } finally {
        for (const [step, at] of held) {
          if (shopper) keep(shopper, step, at)
          else around?.note?.(step, at)
        }
      }
    },
    note(step, { at = now(), shopper } = {}) {
      if (shopper === undefined) scopes.getStore()?.note?.(step, at)
      else keep(shopper, step, at)
    },
    follow(shopper, listener) {
      const forward = ({ shopper: whose, ...step }: Entry): void => {
        if (whose === shopper) listener(step)
      }
      entries.forEach(forward)
      listeners.add(forward)
      return () => listeners.delete(forward)
    },
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Step, TimedStep } from '../story.ts'

/** How many steps are kept: some twenty purchases. */
const CAPACITY = 500

type Entry = TimedStep & { customId: string | null }

export interface Journal {
  /** Does something on a shopper's behalf: steps that it leads to belong to that shopper's story. */
  as<Result>(customId: string | null, action: () => Result): Result
  /** `at` is when a page saw it, in epoch milliseconds. Default: now. */
  note(step: Step, at?: number): void
  /** Calls the listener with each of the shopper's steps, past ones first; gives back the undo. */
  follow(customId: string, listener: (step: TimedStep) => void): () => void
}

/** Remembers the last steps in memory; a demo's story need not outlive it. */
export function createJournal(now: () => number = Date.now): Journal {
  const shopper = new AsyncLocalStorage<string | null>()
  const listeners = new Set<(entry: Entry) => void>()
  const entries: Entry[] = []
  let lastId = 0

  return {
    as: (customId, action) => shopper.run(customId, action),
    note(step, at = now()) {
      lastId += 1
      const entry: Entry = { ...step, id: lastId, at, customId: shopper.getStore() ?? null }
      entries.push(entry)
      if (entries.length > CAPACITY) entries.shift()
      for (const listener of listeners) listener(entry)
    },
    follow(customId, listener) {
      // What no shopper asked for, such as the first token or a webhook on its way, is part of everyone's story.
      const forward = ({ customId: owner, ...step }: Entry): void => {
        if (owner === null || owner === customId) listener(step)
      }
      entries.forEach(forward)
      listeners.add(forward)
      return () => listeners.delete(forward)
    },
  }
}

/** The sandbox's own time: the machine's, moved forwards by an offset. */
import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '../refusal.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  offset(): number
  advance(milliseconds: number): void
  /** Back to `offset`, the machine's time unless given. */
  set(offset: number): void
}

export function createClock(offset: number): Clock {
  let ahead = offset
  return {
    now: () => Date.now() + ahead,
    offset: () => ahead,
    advance: (milliseconds) => {
      ahead += milliseconds
    },
    set: (value) => {
      ahead = value
    },
  }
}

/**
 * Waits, but no longer than the sandbox runs.
 *
 * @throws Refusal (503) when it closes meanwhile.
 */
export async function pause(milliseconds: number, closing: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal: closing })
  } catch {
    throw new Refusal(503, 'The sandbox is closing.')
  }
}

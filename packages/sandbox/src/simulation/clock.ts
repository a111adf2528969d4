/** The sandbox's own clock: system time plus an offset. */
import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '../refusal.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  offset(): number
  advance(milliseconds: number): void
  /** Replaces the offset. */
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

/** The offset with which the clock shows this time now. Without a time, it shows the system's. */
export const offsetTo = (time: Date | undefined): number => (time ? time.getTime() - Date.now() : 0)

/**
 * Waits until the time is over or the sandbox closes.
 *
 * @throws Refusal (503) when the sandbox closes first.
 */
export async function pause(milliseconds: number, closing: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal: closing })
  } catch {
    throw new Refusal(503, 'The sandbox is closing.')
  }
}

/** Counts in windows of a minute, in one process. */
import type { Counter } from '../store.ts'

const MINUTE = 60_000

/** Counts in windows of a minute. Every request passes here, so it answers without a promise. */
export function memoryCounter(perMinute: number, now: () => number): Counter {
  const windows = new Map<string, { calls: number; endsAt: number }>()
  let sweepAt = now() + MINUTE

  function open(key: string, at: number): { calls: number; endsAt: number } {
    if (!runs(sweepAt, at)) {
      for (const [old, { endsAt }] of windows) if (!runs(endsAt, at)) windows.delete(old)
      sweepAt = at + MINUTE
    }
    const window = { calls: 0, endsAt: at + MINUTE }
    windows.set(key, window)
    return window
  }

  return (key) => {
    const at = now()
    const last = windows.get(key)
    const window = last && runs(last.endsAt, at) ? last : open(key, at)
    window.calls++
    return window.calls > perMinute ? window.endsAt - at : 0
  }
}

/** One that would end later than in a minute was opened before the clock was set back. */
const runs = (endsAt: number, at: number): boolean => endsAt > at && endsAt - at <= MINUTE

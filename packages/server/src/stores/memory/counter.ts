/** Counts in windows of a minute, in one process. */
import type { Counter } from '../store.ts'

const MINUTE = 60_000

/** Counts in windows of a minute. Every request passes here, so it answers without a promise. */
export function memoryCounter(perMinute: number, now: () => number): Counter {
  const windows = new Map<string, { calls: number; endsAt: number }>()
  let sweepAt = now() + MINUTE

  function open(key: string, at: number): { calls: number; endsAt: number } {
    if (at >= sweepAt) {
      for (const [old, { endsAt }] of windows) if (endsAt <= at) windows.delete(old)
      sweepAt = at + MINUTE
    }
    const window = { calls: 0, endsAt: at + MINUTE }
    windows.set(key, window)
    return window
  }

  return (key) => {
    const at = now()
    const last = windows.get(key)
    const window = last && last.endsAt > at ? last : open(key, at)
    window.calls++
    return window.calls > perMinute ? window.endsAt - at : 0
  }
}

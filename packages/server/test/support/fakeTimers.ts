/** Vitest's fake timers for modules that import `node:timers` and `node:timers/promises` too, which Vitest does not fake. */
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import promises from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'

const { setTimeout: pauseOfNode } = promises

/**
 * Until the end of the test. Times before which nothing may happen are then exact, and a test of hours is instant.
 *
 * @returns counts the timers of both modules that keep the process alive.
 */
export function fakeTimers(): () => number {
  const made: NodeJS.Timeout[] = []
  const note = (timer: NodeJS.Timeout): NodeJS.Timeout => {
    made.push(timer)
    return timer
  }
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
  Object.assign(timers, {
    setTimeout: (task: () => void, ms: number) => note(setTimeout(task, ms)),
    setInterval: (task: () => void, ms: number) => note(setInterval(task, ms)),
    clearTimeout,
    clearInterval,
  })
  promises.setTimeout = pauseBy((task, ms) => note(setTimeout(task, ms)))
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.useRealTimers()
    const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
    Object.assign(timers, { setTimeout, setInterval, clearTimeout, clearInterval })
    promises.setTimeout = pauseOfNode
    syncBuiltinESMExports()
  })
  return () => made.filter((timer) => timer.hasRef()).length
}

/** Rejects when it is aborted, like Node's. */
const pauseBy =
  (make: (task: () => void, ms?: number) => NodeJS.Timeout): typeof promises.setTimeout =>
  (ms, value, { signal, ref } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const end = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = make(() => {
        signal?.removeEventListener('abort', end)
        // Node's types declare a missing argument as undefined.
        resolve(value as NonNullable<typeof value>)
      }, ms)
      if (ref === false) timer.unref()
      signal?.addEventListener('abort', end, { once: true })
    })

/** Whether it has ended after this much time. */
export async function hasEnded(work: Promise<unknown>, ms: number): Promise<boolean> {
  let isEnded = false
  void work.then(() => {
    isEnded = true
  })
  await vi.advanceTimersByTimeAsync(ms)
  return isEnded
}

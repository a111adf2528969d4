/** Timers, and promises that are resolved from outside. */

/** Waits `ms` milliseconds. Once `signal` has aborted, it never resolves and leaves no timer behind. */
export const delay = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => clearTimeout(timer))
  })

/** A promise that is resolved from outside. */
export function defer<Value>(): { promise: Promise<Value>; resolve(value: Value | Promise<Value>): void } {
  let resolve = (_: Value | Promise<Value>): void => {}
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve: (value) => resolve(value) }
}

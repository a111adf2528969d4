/** Timers. */

/** Waits `ms` milliseconds. Once `signal` has aborted, it never resolves and leaves no timer behind. */
export const delay = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => clearTimeout(timer))
  })

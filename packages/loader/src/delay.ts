/** Waiting. */

/** Waits `ms` milliseconds; never ends once `signal` has aborted, and leaves no timer then. */
export const delay = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => clearTimeout(timer))
  })

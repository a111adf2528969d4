/** One end for a whole call: attempts, waits and body. */

export interface Deadline {
  readonly signal: AbortSignal
  remainingMs(): number
  /** Also ends the wait for a `fetch` that does not listen to its signal. */
  race<T>(promise: Promise<T>): Promise<T>
  stop(): void
}

export function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController()
  const end = performance.now() + timeoutMs
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  let expire = (): void => {}
  const expired = new Promise<never>((_, reject) => {
    expire = () => reject(new Error('deadline'))
  })
  expired.catch(() => {})
  signal.addEventListener('abort', expire)
  return {
    signal,
    remainingMs: () => end - performance.now(),
    race: (promise) => Promise.race([promise, expired]),
    stop() {
      clearTimeout(timer)
      // Node's `fetch` holds the signal for as long as its request is not collected, and the listener all that was waited for.
      signal.removeEventListener('abort', expire)
    },
  }
}

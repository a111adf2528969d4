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
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  const expired = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(new Error('deadline')))
  })
  expired.catch(() => {})
  return {
    signal: controller.signal,
    remainingMs: () => end - performance.now(),
    race: (promise) => Promise.race([promise, expired]),
    stop: () => clearTimeout(timer),
  }
}

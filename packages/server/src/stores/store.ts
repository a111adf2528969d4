/** What instances share: the token, a lock, and (see doorbell and limits) what must happen once. */

export interface StoredValue {
  value: string
  /** Milliseconds that the value has left. A duration, so that clocks of instances need not agree. Null: no end. */
  ttlMs: number | null
}

/**
 * A shared store. Any of these may reject: the callers carry on without the store as far as that is safe.
 */
export interface Store {
  get(key: string): Promise<StoredValue | null>
  /** `ttlMs: null` keeps the value until it is deleted. */
  set(key: string, value: string, ttlMs: number | null): Promise<void>
  delete(key: string): Promise<void>
  /** Runs `task` while no other holder of the same lock runs, waiting for it as long as it takes to know. */
  withLock<T>(key: string, task: () => Promise<T>): Promise<T>
}

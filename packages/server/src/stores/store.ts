/** What instances share. Any function may reject when the store is gone: callers go on without it as far as that is safe. */

export interface StoredValue {
  value: string
  /** Milliseconds that the value has left: a duration, so that clocks of instances need not agree. Null: no end. */
  ttlMs: number | null
}

/** An item taken from a queue. `receipt` changes when the item is added again meanwhile. */
export interface Claim {
  item: string
  receipt: string
}

/** A set of things to do, each until it is settled, also when the process that took it is killed. */
export interface Queue {
  /** Adds an item, due at once; an item that is there becomes due at once. */
  add(item: string): Promise<void>
  /** Takes up to `limit` due items. Each comes back after `holdMs` unless it was settled or postponed. */
  claim(limit: number, holdMs: number): Promise<Claim[]>
  /** Removes the item, unless it was added again since it was claimed. */
  settle(claim: Claim): Promise<void>
  /** Lets the item come back after `delayMs`, unless it was added again since it was claimed. */
  postpone(claim: Claim, delayMs: number): Promise<void>
}

/** Counts one call of `key`. Gives the milliseconds to wait: 0 when the call is within the limit. */
export type Counter = (key: string) => number | Promise<number>

export interface Store {
  get(key: string): Promise<StoredValue | null>
  /** `ttlMs: null` keeps the value until it is replaced. */
  set(key: string, value: string, ttlMs: number | null): Promise<void>
  /** Runs `task` while no other holder of the same lock runs. */
  withLock<T>(key: string, task: () => Promise<T>): Promise<T>
  queue(name: string): Queue
  counter(name: string, perMinute: number): Counter
}

/** The sandbox's own time: the machine's, moved forwards by an offset. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  offset(): number
  advance(milliseconds: number): void
  /** Back to `offset`, the machine's time unless given. */
  set(offset: number): void
}

export function createClock(offset: number): Clock {
  let ahead = offset
  return {
    now: () => Date.now() + ahead,
    offset: () => ahead,
    advance: (milliseconds) => {
      ahead += milliseconds
    },
    set: (value) => {
      ahead = value
    },
  }
}

/** Measures intervals with a clock that may be set back. */

/** @returns a function that gives the milliseconds that have passed on this clock since now; never fewer than it gave before. */
export function elapsed(now: () => number): () => number {
  let last = now()
  let total = 0
  return () => {
    const at = now()
    total += Math.max(0, at - last)
    last = at
    return total
  }
}

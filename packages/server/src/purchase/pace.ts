/** How often purchases are read from the service: seldom for one shopper, bounded for an instance, returns first. */

export interface PaceOptions {
  /** Milliseconds between two readings for one shopper. */
  everyMs: number
  /** Readings that an instance makes in a second, after a burst of three times as many. */
  perSecond: number
  now: () => number
}

/** Takes a turn for a shopper; false when it is not theirs yet. `first`: before those who only look, who leave a third. */
export type Pace = (shopper: string, first: boolean) => boolean

const MOST_SHOPPERS = 10_000

export function createPace({ everyMs, perSecond, now }: PaceOptions): Pace {
  const most = perSecond * 3
  /** In the order of their last turn. */
  const turns = new Map<string, number>()
  let left = most
  let countedAt = now()

  return (shopper, first) => {
    const at = now()
    // A clock that was set back must not stop anybody.
    left = Math.min(most, left + (Math.max(0, at - countedAt) / 1000) * perSecond)
    countedAt = at
    const last = turns.get(shopper)
    if (last !== undefined && at >= last && at - last < everyMs) return false
    if (left < (first ? 1 : most / 3 + 1)) return false
    left--
    turns.delete(shopper)
    turns.set(shopper, at)
    const [oldest] = turns.keys()
    if (turns.size > MOST_SHOPPERS && oldest !== undefined) turns.delete(oldest)
    return true
  }
}

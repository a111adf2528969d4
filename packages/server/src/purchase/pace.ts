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

export function createPace({ everyMs, perSecond, now }: PaceOptions): Pace {
  const most = perSecond * 3
  /** When shoppers had their last turn, in that order. */
  const turns = new Map<string, number>()
  let left = most
  let countedAt = now()

  /** Forgets who may have another. A clock that was set back must not stop anybody. */
  function forget(at: number): void {
    for (const [shopper, last] of turns) {
      if (at >= last && at - last < everyMs) return
      turns.delete(shopper)
    }
  }

  return (shopper, first) => {
    const at = now()
    left = Math.min(most, left + (Math.max(0, at - countedAt) / 1000) * perSecond)
    countedAt = at
    forget(at)
    if (turns.has(shopper)) return false
    if (left < (first ? 1 : most / 3 + 1)) return false
    left--
    turns.set(shopper, at)
    return true
  }
}

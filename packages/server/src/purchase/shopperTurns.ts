/** How often the service is read for one shopper's purchases. */

export interface ShopperTurns {
  /** False when the shopper had a turn just now. */
  take(shopper: string): boolean
  /** For a turn in which the service was not read after all. */
  giveBack(shopper: string): void
}

/** @param everyMs milliseconds between two turns of one shopper. */
export function createShopperTurns({ everyMs, now }: { everyMs: number; now: () => number }): ShopperTurns {
  /** When shoppers had their last turn, in that order. */
  const turns = new Map<string, number>()

  /** Forgets who may have another. A clock that was set back must not stop anybody. */
  function forget(at: number): void {
    for (const [shopper, last] of turns) {
      if (at >= last && at - last < everyMs) return
      turns.delete(shopper)
    }
  }

  return {
    take(shopper) {
      const at = now()
      forget(at)
      if (turns.has(shopper)) return false
      turns.set(shopper, at)
      return true
    },
    giveBack: (shopper) => void turns.delete(shopper),
  }
}

/** Work that goes on after its caller has gone, so that somebody can wait for it before the store is closed. */

export interface Background {
  /** Gives back what it is given. */
  keep<T>(work: Promise<T>): Promise<T>
  /** Resolves when none is left, nor of what was begun meanwhile. */
  idle(): Promise<void>
}

export function createBackground(): Background {
  const running = new Set<Promise<unknown>>()
  return {
    keep(work) {
      const end = (): void => void running.delete(work)
      running.add(work)
      work.then(end, end)
      return work
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

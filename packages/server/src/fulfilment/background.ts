/** Tracks work that outlives its caller, so that it can be awaited before the store is closed. */

export interface Background {
  keep<T>(work: Promise<T>): Promise<T>
  /** Resolves when no work is left, including work that started meanwhile. */
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

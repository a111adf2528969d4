/** Runs what a queue gives, so many at a time. */

export interface WorkerPool {
  /** Looks whether there is something to take. */
  wake(): void
  /** Resolves when nothing runs and nothing more was there to take. */
  idle(): Promise<void>
  /** Takes nothing more; resolves when what runs has ended. */
  close(): Promise<void>
}

export interface WorkerPoolOptions<Item> {
  workers: number
  /** Gives up to `limit` items. */
  take: (limit: number) => Promise<Item[]>
  /** Must not reject. */
  work: (item: Item) => Promise<void>
  onError: (error: unknown) => void
}

export function createWorkerPool<Item>(options: WorkerPoolOptions<Item>): WorkerPool {
  const { workers, take, work, onError } = options
  const running = new Set<Promise<void>>()
  let taking: Promise<void> | null = null
  let again = false
  let closed = false

  function wake(): void {
    again = true
    if (taking || closed || running.size >= workers) return
    taking = fill().finally(() => {
      taking = null
      if (again) wake()
    })
  }

  async function fill(): Promise<void> {
    while (again && !closed && running.size < workers) {
      again = false
      const limit = workers - running.size
      const items = await take(limit).catch((error: unknown): Item[] => {
        onError(error)
        return []
      })
      for (const item of items) start(item)
    }
  }

  function start(item: Item): void {
    const run = work(item).finally(() => {
      running.delete(run)
      wake()
    })
    running.add(run)
  }

  return {
    wake,
    async idle() {
      while (taking || running.size > 0) await Promise.all([taking, ...running])
    },
    async close() {
      closed = true
      while (taking || running.size > 0) await Promise.all([taking, ...running])
    },
  }
}

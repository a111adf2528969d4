/** Requests at a steady rate, whether or not they are answered. */

export interface Flood {
  /** Resolves when every request is answered, to how often each status came. */
  stop(): Promise<Record<number, number>>
}

const TICK_MS = 20

export function flood(perSecond: number, send: (number: number) => Promise<Response>): Flood {
  const startedAt = performance.now()
  const answers: Promise<number>[] = []
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond
    while (answers.length < due) answers.push(send(answers.length).then(({ status }) => status))
  }, TICK_MS)
  return {
    async stop() {
      clearInterval(timer)
      const counts: Record<number, number> = {}
      for (const status of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1
      return counts
    },
  }
}

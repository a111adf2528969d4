/** Many calls, a limited number at a time or at a steady rate, and statistics of their times. */
import { onTestFinished } from 'vitest'

export const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items].reverse()
  const worker = async (): Promise<void> => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

const TICK_MS = 20

/**
 * Sends this many requests a second until the end of the test, whether or not they are answered. A busy machine's missed requests are not
 * sent later: they would take the time of the answers.
 *
 * @returns a function that ends it, and resolves to the count of each status once every request is answered.
 */
export function flood(
  perSecond: number,
  send: (number: number) => Promise<Response>,
): () => Promise<Record<number, number>> {
  const answers: Promise<number>[] = []
  let due = 0
  const timer = setInterval(() => {
    due += (TICK_MS / 1_000) * perSecond
    while (answers.length < due) answers.push(send(answers.length).then(({ status }) => status))
  }, TICK_MS)
  onTestFinished(() => clearInterval(timer))
  return async () => {
    clearInterval(timer)
    const counts: Record<number, number> = {}
    for (const status of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }
}

/** The 99th percentile. */
export function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
}

/** Many calls, so many at a time or at a steady rate, and what came of their times. */
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
 * Requests so many times a second until the end of the test, whether or not they are answered. What a busy machine has no time for is not made
 * up for later: it would take the time of the answers.
 *
 * @returns ends it. Resolves when every request is answered, to how often each status came.
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

/** The value that 99 of 100 are at most. */
export function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
}

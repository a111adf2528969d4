/** Waits for a condition of the tests, with a limit. */
import { setTimeout } from 'node:timers/promises'

/** @throws Error when there is no value after 20 seconds. */
export async function until<T>(what: string, look: () => Promise<T | null | undefined | false>): Promise<T> {
  const giveUpAt = performance.now() + 20_000
  while (performance.now() < giveUpAt) {
    const value = await look()
    if (value) return value
    await setTimeout(20)
  }
  throw new Error(`Waited too long for: ${what}`)
}

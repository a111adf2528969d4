/** A limit for answers of a store: who asks must not wait for one that is gone. */
import { setTimeout } from 'node:timers'

/** @throws Error when there is no answer after `ms` milliseconds. */
export async function inTime<T>(who: string, ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${who} did not answer in ${ms} ms.`)), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for something, but not for ever. */

/** The patience with a store, in milliseconds: no shopper waits longer for one that does not answer. */
export const STORE_MS = 2_000

/**
 * @param who for the message: what does not answer.
 * @returns what `work` gives. Rejects when it has not settled in `ms` milliseconds; the work itself goes on.
 */
export function within<T>(ms: number, work: Promise<T>, who = 'It'): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${who} did not answer in ${ms} ms.`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

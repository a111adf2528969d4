/** Whether a call is tried again, and when. */
import type { Operation } from './operations.ts'

/** How an attempt failed: not to be tried again, before anything was sent, or after. */
export type Again = 'no' | 'unsent' | 'sent'

export function retriesFor(operation: Operation<unknown>, maxRetries: number, again: Again): number {
  if (again === 'no') return 0
  switch (operation.retry) {
    case 'always':
      return maxRetries
    case 'once':
      return Math.min(maxRetries, 1)
    case 'unsent':
      return again === 'unsent' ? maxRetries : 0
  }
}

/** Full jitter: anywhere between nothing and a ceiling that doubles, so that many callers do not come back together. */
export const backoffMs = (attempt: number): number => Math.random() * Math.min(250 * 2 ** attempt, 4_000)

/** U16: seconds or an HTTP date. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

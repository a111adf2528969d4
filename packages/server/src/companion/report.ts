/** What goes to the server's log by itself. */
import { type Cause, sentenceOf } from '../mistakes/table.ts'
import { printable } from '../printable.ts'

/** Where a failure goes that nobody else hears of: name and message alone, since a stack or a cause may hold more. */
export function report(error: unknown): void {
  console.error(
    error instanceof Error
      ? `[purchase-widget] ${printable(`${error.name}: ${error.message}`)}`
      : '[purchase-widget]',
  )
}

/** The mistakes that this process has logged: a fixed set, whatever callers send. */
const logged = new Set<string>()

/** Logs a mistake, each once. */
export function warnOf(cause: Cause): void {
  if (logged.has(cause.mistake)) return
  logged.add(cause.mistake)
  console.warn(`[purchase-widget] ${sentenceOf(cause)}`)
}

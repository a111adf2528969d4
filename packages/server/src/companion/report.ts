/** What the companion writes to the server's log by default. */
import { codeOfFailure, type ErrorContext, isInvalidInputError, PurchaseError } from '../errors.ts'
import { type Cause, sentenceOf } from '../mistakes.ts'
import { printable } from '../unknown.ts'
import { isDevelopment } from './place.ts'

/**
 * The default for failures without `onError`. Of their cause it logs the code alone, since the rest may contain more. It logs a stack only for
 * errors of the merchant's own code, in development: errors of this package say where they come from.
 */
export function report(error: unknown, context?: ErrorContext): void {
  // `warnOf` logs this one, with its remedy.
  if (isInvalidInputError(error) && error.operation === 'configuration') return
  const where = context ? ` (${describe(context)})` : ''
  if (!(error instanceof Error)) {
    console.error(`[purchase-widget] not an Error${where}`)
    return
  }
  const code = codeOfFailure(error)
  const line = printable(`${error.name}: ${error.message}${code ? ` [${code}]` : ''}${where}`)
  const frames = isDevelopment() && !(error instanceof PurchaseError) ? framesOf(error) : ''
  console.error(`[purchase-widget] ${line}${frames}`)
}

const describe = ({ during, orderId, attempt }: ErrorContext): string =>
  [
    `during ${during}`,
    ...(orderId === undefined ? [] : [`order ${orderId}`]),
    ...(attempt === undefined ? [] : [`try ${attempt}`]),
  ].join(', ')

/** Without the first lines, which repeat the message. */
const framesOf = ({ stack = '' }: Error): string =>
  [...stack.matchAll(/^ +at .*/gm)].map(([line]) => `\n${printable(line)}`).join('')

const logged = new Set<Cause['mistake']>()
let log = (cause: Cause): void => console.warn(`[purchase-widget] ${sentenceOf(cause)}`)

/** For a process with a log of its own, to which nothing else may write. */
export function warnTo(other: typeof log): void {
  log = other
  logged.clear()
}

/** Logs each mistake once: their number is fixed, whatever callers send. */
export function warnOf(cause: Cause): void {
  if (logged.has(cause.mistake)) return
  logged.add(cause.mistake)
  log(cause)
}

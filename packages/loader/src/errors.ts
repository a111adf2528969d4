/** The loader's only kind of error. */
import { explain } from '#words'
import type { PurchaseResult, WidgetError, WidgetErrorCode } from './types.ts'

/** Codes for which opening again does not help. */
const unrecoverable: readonly WidgetErrorCode[] = ['invalid_options', 'destroyed']

/**
 * Creates a `WidgetError`. Neither `cause` nor the companion's message may contain a token.
 *
 * @param about The subject of the error, such as the name of an option; its explanation follows.
 */
export const widgetError = (
  code: WidgetErrorCode,
  about = '',
  { cause, companion }: Pick<WidgetError, 'cause' | 'companion'> = {},
): WidgetError =>
  Object.assign(Error(explain(code, about), { cause }), {
    name: 'WidgetError' as const,
    code,
    recoverable: !unrecoverable.includes(code),
    ...(companion && { companion }),
  })

/** @throws WidgetError `invalid_options`, with a message that begins with the name of the option. */
export function invalid(about: string): never {
  throw widgetError('invalid_options', about)
}

/** Whether a value is the loader's error, including one from another frame or bundle. */
export const isWidgetError = (value: unknown): value is WidgetError =>
  (value as WidgetError | undefined)?.name === 'WidgetError'

export const asError = (cause: unknown): WidgetError =>
  isWidgetError(cause) ? cause : widgetError('open_failed', '', { cause })

/** The result after `destroy()`. */
export const destroyedResult: PurchaseResult = {
  status: 'error',
  get error() {
    return widgetError('destroyed')
  },
}

/** The one error of the loader. */
import type { WidgetError, WidgetErrorCode } from './types.ts'

/** Makes a `WidgetError`. `cause` must not hold a token. */
export const widgetError = (code: WidgetErrorCode, message: string, cause?: unknown): WidgetError =>
  Object.assign(Error(message, { cause }), {
    name: 'WidgetError' as const,
    code,
    // All but `invalid_options` and `destroyed`.
    recoverable: !/^[id]/.test(code),
  })

export function invalid(message: string): never {
  throw widgetError('invalid_options', message)
}

/** Whether a value is the loader's error, also one of another frame or bundle. */
export const isWidgetError = (value: unknown): value is WidgetError =>
  (value as WidgetError | undefined)?.name === 'WidgetError'

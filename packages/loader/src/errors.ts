/** The one error of the loader. */
import type { WidgetError, WidgetErrorCode } from './types.ts'

/** Makes a `WidgetError`. `cause` must not hold a token. */
export function widgetError(code: WidgetErrorCode, message: string, cause?: unknown): WidgetError {
  return Object.assign(new Error(message, { cause }), {
    name: 'WidgetError' as const,
    code,
    recoverable: !/^[id]/.test(code),
  })
}

/** Whether a value is the loader's error, also one of another frame or bundle. */
export const isWidgetError = (value: unknown): value is WidgetError =>
  (value as WidgetError | undefined)?.name === 'WidgetError'

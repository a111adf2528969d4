/** The one error of the loader. */
import type { WidgetError, WidgetErrorCode } from './types.ts'

/** Where opening again does not help. */
const final: readonly WidgetErrorCode[] = ['invalid_options', 'destroyed']

/** Makes a `WidgetError`. Neither `cause` nor what the companion said may hold a token. */
export const widgetError = (
  code: WidgetErrorCode,
  message: string,
  { cause, companion }: Pick<WidgetError, 'cause' | 'companion'> = {},
): WidgetError =>
  Object.assign(Error(message, { cause }), {
    name: 'WidgetError' as const,
    code,
    recoverable: !final.includes(code),
    ...(companion && { companion }),
  })

/** @throws WidgetError `invalid_options`, with a message that begins with the name of the option. */
export function invalid(message: string): never {
  throw widgetError('invalid_options', message)
}

/** Whether a value is the loader's error, also one of another frame or bundle. */
export const isWidgetError = (value: unknown): value is WidgetError =>
  (value as WidgetError | undefined)?.name === 'WidgetError'

/** Checks options as soon as they are passed, and return addresses; the development build alone does this. */
import { mistakeIn } from './development.ts'
import { invalid } from './errors.ts'
import { parseOptions } from './opening/options.ts'
import type { Settings } from './settings.ts'
import type { PurchaseWidgetOptions } from './types.ts'
import { safeOrigin } from './url.ts'

/** @throws WidgetError `invalid_options`, with what to change. */
export function checkOptions(options: PurchaseWidgetOptions): void {
  const mistake = mistakeIn(options)
  if (mistake) invalid(mistake)
  parseOptions(options)
}

/** For a page that stays where it should follow a return address. */
export function warnOfReturn(
  url: string | undefined,
  settings: Pick<Settings, 'allowedOrigins' | 'plainHttpHosts'>,
): void {
  const origin = safeOrigin(url, settings)
  if (origin && !settings.allowedOrigins.includes(origin))
    console.warn(`The page stays: for a return to ${origin}, add that to allowedReturnOrigins.`)
}

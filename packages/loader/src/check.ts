/** Checks options as soon as they are passed; the development build alone does this. */
import { mistakeIn } from './development.ts'
import { invalid } from './errors.ts'
import { parseOptions } from './opening/options.ts'
import type { PurchaseWidgetOptions } from './types.ts'

/** @throws WidgetError `invalid_options`, with what to change. */
export function checkOptions(options: PurchaseWidgetOptions): void {
  const mistake = mistakeIn(options)
  if (mistake) invalid(mistake)
  parseOptions(options)
}

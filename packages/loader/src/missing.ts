/** What the shopper reads where the second stage cannot be had: nothing has been opened, and nothing draws the loader's own notices. */
import { pageOf } from './names.ts'
import type { WidgetStrings } from './types.ts'

/** English, as in english.ts, which the first stage does not load. */
export const failed = 'The purchase could not be started.'
export const notCharged = 'You have not been charged.'

/** Milliseconds for which the sentence stands. */
const LONG_ENOUGH = 10_000

export function sayMissing(strings?: Partial<WidgetStrings>): void {
  const page = pageOf()
  const line = page.createElement('p')
  line.role = 'alert'
  line.textContent = `${strings?.failed ?? failed} ${strings?.notCharged ?? notCharged}`
  line.style.cssText =
    'position:fixed;inset:auto 0 0;z-index:99999;margin:0;padding:1rem;background:Canvas;color:CanvasText;outline:1px solid'
  page.body.append(line)
  setTimeout(() => line.remove(), LONG_ENOUGH)
}

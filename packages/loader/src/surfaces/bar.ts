/** A line at the bottom of the page, for what concerns the shopper while the widget is elsewhere, or gone. */
import type { Settings } from '../settings.ts'
import { add, createNotices, createShell } from './shell.ts'
import type { Say } from './surface.ts'

/** Nothing is drawn until something is said, nor once that is taken back. */
export function createBar(settings: Settings): Say {
  const draw = createNotices(settings.strings)
  let root: ShadowRoot | undefined
  let bar: HTMLElement
  return (...said) => {
    if (!said.length) {
      root?.host.remove()
      root = undefined
      return
    }
    if (!root) {
      root = createShell(document.body, settings)
      bar = add(root, 'aside', {}, 'bar')
    }
    draw(bar, 'beside', ...said)
  }
}

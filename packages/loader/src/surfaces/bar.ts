/** A line at the bottom of the page, for what concerns the shopper while the widget is elsewhere, or gone. */
import type { Settings } from '../settings.ts'
import { add, createNotices, createShell } from './shell.ts'
import type { Notice } from './surface.ts'

export interface Bar {
  /** Null takes it away. */
  say(notice: Notice | null): void
}

/** Nothing is drawn until something is said. */
export function createBar(settings: Settings): Bar {
  const draw = createNotices()
  let root: ShadowRoot | undefined
  let bar: HTMLElement
  return {
    say(notice) {
      if (!notice) {
        root?.host.remove()
        root = undefined
        return
      }
      if (!root) {
        root = createShell(document.body, settings)
        bar = add(root, 'aside', {}, 'bar')
      }
      draw(bar, { ...notice, place: 'beside' })
    },
  }
}

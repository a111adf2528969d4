/** A line at the bottom of the page, for what concerns the shopper while the widget is elsewhere, or gone. */
import type { Look } from '../look.ts'
import { pageOf } from '../names.ts'
import { add, createSay, createShell } from './shell.ts'
import type { Say } from './surface.ts'

/** Nothing is drawn until something is said, nor once that is taken back. */
export function createBar(look: () => Look): Say {
  let root: ShadowRoot | undefined
  return (...said) => {
    root?.host.remove()
    if (!said.length) return
    root = createShell(pageOf().body, look())
    createSay(look(), add(root, 'aside', {}, 'bar'))(...said)
  }
}

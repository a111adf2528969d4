/** The widget in a native dialog, so that the browser handles focus, Esc and the page behind it. */
import { pageOf } from '../names.ts'
import { putFrame } from './frame.ts'
import { add, createShell } from './shell.ts'
import type { Host, Surface } from './surface.ts'

/** How many dialogs are open, of all widgets, and the page's own style before the first. */
let dialogsOpen = 0
let overflowBefore = ''

/** Prevents the page behind a dialog from scrolling; returns a function that undoes it, whatever order the dialogs close in. */
function lockPage(): () => void {
  const { style } = pageOf().documentElement
  if (!dialogsOpen++) overflowBefore = style.overflow
  style.overflow = 'hidden'
  return () => {
    if (!--dialogsOpen) style.overflow = overflowBefore
  }
}

export function createModal(host: Host): Surface {
  const { strings, onclose } = host
  const root = createShell(pageOf().body, host)
  const dialog = add(root, 'dialog', { ariaLabel: strings.title, tabIndex: -1, onclose }, 'dialog')
  const header = add(dialog, 'header', {}, 'header')
  add(header, 'b', { textContent: strings.title }, 'title')
  const aside = add(header, 'span')
  add(header, 'button', { textContent: strings.close, onclick: () => dialog.close() }, 'close')
  const surface = putFrame(host, root, dialog, aside)
  let unlock = (): void => {}
  return {
    ...surface,
    show() {
      // Some browsers throw if it is already open, as it is on a retry.
      if (dialog.open) return
      dialog.showModal()
      unlock = lockPage()
      // Not on the close button, which a second Enter would press.
      dialog.focus()
    },
    remove() {
      dialog.onclose = null
      unlock()
      unlock = () => {}
      // Returns the focus to where it was.
      if (dialog.open) dialog.close()
      surface.remove()
    },
  }
}

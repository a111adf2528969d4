/** The widget in a native dialog, so that the browser handles focus, Esc and the page behind it. */
import { pageOf } from '../names.ts'
import { putFrame } from './frame.ts'
import { add, createShell } from './shell.ts'
import type { Host, Surface } from './surface.ts'

export function createModal(host: Host): Surface {
  const { strings, onclose } = host
  const root = createShell(pageOf().body, host)
  const dialog = add(root, 'dialog', { ariaLabel: strings.title, tabIndex: -1, onclose }, 'dialog')
  const header = add(dialog, 'header', {}, 'header')
  add(header, 'b', { textContent: strings.title }, 'title')
  const aside = add(header, 'span')
  add(header, 'button', { textContent: strings.close, onclick: () => dialog.close() }, 'close')
  const surface = putFrame(host, root, dialog, aside)
  const { style } = pageOf().documentElement
  let unlock = (): void => {}
  return {
    ...surface,
    show() {
      surface.show()
      // Some browsers throw if it is already open, as it is on a retry.
      if (dialog.open) return
      dialog.showModal()
      // Prevents the page behind it from scrolling.
      const { overflow } = style
      style.overflow = 'hidden'
      unlock = () => {
        style.overflow = overflow
        unlock = () => {}
      }
      // Not on the close button, which a second Enter would press.
      dialog.focus()
    },
    remove() {
      dialog.onclose = null
      unlock()
      // Returns the focus to where it was.
      if (dialog.open) dialog.close()
      surface.remove()
    },
  }
}

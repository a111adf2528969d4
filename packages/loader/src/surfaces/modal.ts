/** The widget in a native dialog, so that the browser handles focus, Esc and the page behind it. */
import { pageOf } from '../names.ts'
import { putFrame } from './frame.ts'
import { add, createShell } from './shell.ts'
import type { Host, Surface } from './surface.ts'

/**
 * Prevents the page behind a dialog from scrolling; returns a function that undoes it. By a sheet of its own, since the page's own dialog may set
 * and reset the style of the same element meanwhile.
 */
function lockPage(): () => void {
  const { adoptedStyleSheets: sheets } = pageOf()
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('html{overflow:hidden!important}')
  sheets.push(sheet)
  return () => {
    const index = sheets.indexOf(sheet)
    // The page may have replaced its sheets.
    if (index >= 0) sheets.splice(index, 1)
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

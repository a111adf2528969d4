/** The widget in a dialog: a native one, so that focus, Esc and the page behind it are the browser's business. */
import type { Settings } from '../settings.ts'
import { putFrame } from './frame.ts'
import { add, createShell } from './shell.ts'
import type { Surface, SurfaceListeners } from './surface.ts'

export function createModal(settings: Settings, listeners: SurfaceListeners): Surface {
  const { strings } = settings
  const root = createShell(document.body, settings)
  const dialog = add(root, 'dialog', { ariaLabel: strings.title, onclose: listeners.onclose }, 'dialog')
  const header = add(dialog, 'header', {}, 'header')
  const aside = add(header, 'span')
  add(header, 'button', { textContent: strings.close, onclick: () => dialog.close() }, 'close')
  const surface = putFrame(root, dialog, aside, settings, listeners)
  return {
    ...surface,
    show() {
      surface.show()
      // Some browsers throw when it is open already, as it is for another try.
      if (!dialog.open) dialog.showModal()
    },
    remove() {
      dialog.onclose = null
      // Gives the focus back to where it was.
      if (dialog.open) dialog.close()
      surface.remove()
    },
  }
}

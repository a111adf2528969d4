/** The widget in a frame: on the page, or in a dialog. */
import { invalid } from '../errors.ts'
import type { Settings } from '../options.ts'
import { createDialog } from './modal.ts'
import { add, createShell } from './shell.ts'

/** A place where the widget shows. */
export interface Surface {
  /** Where the bar goes. */
  root: Node
  /** The window that shows the widget; null once somebody has closed or removed it, or COOP has put it out of sight. */
  view(): Window | null
  /** Shows another address, which is never in an attribute, nor in the history. */
  go(url: string): void
  focus(): void
  remove(): void
  frame?: HTMLIFrameElement
  /** Shows a frame. */
  show?(): void
}

/** The container, once it is in the document. */
export const containerOf = ({ container }: Settings): Element | null | undefined =>
  typeof container === 'string' ? document.querySelector(container) : container

/** With `location.replace`, a feature is granted only to an origin that is named (M8). */
export const allow = (origin: string): string =>
  'payment *;camera *;microphone *;clipboard-write *;publickey-credentials-get *;publickey-credentials-create *'.replaceAll(
    '*',
    origin,
  )

/** Whether a window has left the page that it began with. */
export const addressOf = (view: Window | null): string | undefined => {
  try {
    return view?.location.href
  } catch {
    return undefined
  }
}

/** Makes the frame, hidden and empty. The widget's address is never in an attribute: the token would be in the document (M2). */
export function createFrame(settings: Settings, onload: () => void, onclose: () => void): Surface {
  const { strings, mode } = settings
  const parent = mode === 'iframe' ? containerOf(settings) : document.body
  const root = createShell(parent ?? invalid('container: nothing matches it.'), settings)
  const host = root.host as HTMLElement
  const dialog = mode !== 'iframe' ? createDialog(root, strings, onclose) : undefined
  const loading = add(dialog ?? root, 'p', { textContent: strings.loading })
  const frame = add(dialog ?? root, 'iframe', { title: strings.title, referrerPolicy: 'no-referrer' })
  // Not `visibility`: a frame that takes no room yet must not move the page.
  if (!dialog) host.style.display = 'none'

  frame.onload = () => {
    if (addressOf(frame.contentWindow) !== 'about:blank') loading.remove()
    onload()
  }

  return {
    root: dialog ?? root,
    frame,
    view: () => frame.contentWindow,
    go: (url) => frame.contentWindow?.location.replace(url),
    focus: () => frame.focus(),
    show() {
      host.style.display = ''
      dialog?.showModal()
    },
    remove() {
      if (dialog) {
        dialog.onclose = null
        // Gives the focus back to where it was.
        if (dialog.open) dialog.close()
      }
      host.remove()
    },
  }
}

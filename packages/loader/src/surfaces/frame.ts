/** The widget in a frame: on the page, or in the dialog that `createModal` gives. */
import { widgetError } from '../errors.ts'
import type { Settings } from '../options.ts'
import type { Target } from '../token.ts'
import { createModal } from './modal.ts'
import { add, createShell } from './shell.ts'

/** A place where the widget shows. */
export interface Surface {
  /** Where the loader's own bar goes. */
  root: Node
  /** The window that shows the widget. */
  view(): Window | null
  /** False once somebody has closed or removed it; also for a window that COOP put out of sight. */
  alive(): boolean
  go(target: Target): void
  focus(): void
  remove(): void
}

export interface FrameSurface extends Surface {
  /** Shows a frame that was warmed up. */
  show(): void
  /** Whether the shopper is typing in the widget. */
  inUse(): boolean
  /** Where it went; undefined once it was moved in the document. */
  target?: Target | undefined
  reached: boolean
  /** The widget's page, or some error page, has loaded. */
  onload?: () => void
  /** The frame was moved in the document, and is empty now. */
  onmoved?: () => void
  /** The person closed the dialog. */
  onclosed?: () => void
}

/** With `location.replace`, a feature is only granted to an origin that is named (M8). */
const allow = (origin: string): string =>
  'payment camera microphone clipboard-write publickey-credentials-get publickey-credentials-create'
    .split(' ')
    .map((feature) => `${feature} ${origin}`)
    .join(';')

/** The container, as soon as it is in the document. */
export const containerOf = ({ container }: Settings): Element | null | undefined =>
  typeof container === 'string' ? document.querySelector(container) : container

function placeOf(settings: Settings): Element {
  const element = containerOf(settings)
  if (!element) throw widgetError('invalid_options', `container: nothing matches ${settings.container}.`)
  return element
}

/** Makes the frame, hidden and empty. Throws `invalid_options` when the container is not there. */
export function createFrame(settings: Settings, modal: boolean): FrameSurface {
  const { strings } = settings
  const shell = createShell(modal ? document.body : placeOf(settings), settings)
  const host = shell.host as HTMLElement
  const dialog = modal && createModal(shell, strings, () => surface.onclosed?.())
  const root = dialog || shell
  const wait = add(root, 'p', { className: 'wait', textContent: strings.loading })
  // No address in the attribute: the token would be in the document and in Resource Timing (M2).
  const frame = add(root, 'iframe', { title: strings.title, referrerPolicy: 'no-referrer' })
  host.hidden = !modal
  let view = frame.contentWindow

  const surface: FrameSurface = {
    root,
    reached: false,
    view: () => view,
    alive: () => frame.isConnected,
    go(target) {
      surface.target = target
      surface.reached = false
      frame.allow = allow(target.origin)
      view?.location.replace(target.url)
    },
    show() {
      host.hidden = false
      if (dialog) dialog.showModal()
    },
    inUse: () => shell.activeElement === frame,
    focus: () => frame.focus(),
    remove() {
      // Closing gives the focus back to where it was.
      if (dialog) dialog.close()
      host.remove()
    },
  }

  frame.onload = () => {
    if (view !== frame.contentWindow) {
      view = frame.contentWindow
      surface.target = undefined
      surface.onmoved?.()
    } else if (addressOf(view) !== 'about:blank') {
      surface.reached = true
      wait.remove()
      surface.onload?.()
    }
  }
  return surface
}

/** The address in a window, as far as it can be read: undefined while it shows another origin. */
export function addressOf(view: Window | null): string | undefined {
  try {
    return view?.location.href
  } catch {
    return undefined
  }
}

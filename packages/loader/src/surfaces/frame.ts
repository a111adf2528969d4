/** The widget in a frame on the page. */
import { invalid } from '../errors.ts'
import { pageOf } from '../names.ts'
import type { Settings } from '../settings.ts'
import { referrerPolicy } from './address.ts'
import { createNotice, createShell } from './shell.ts'
import { addressOf, type Host, isOfWidget, type Surface } from './surface.ts'

/**
 * The container, once it is in the document.
 *
 * @throws WidgetError `invalid_options` for a string that is no selector.
 */
export function containerOf({ container }: Pick<Settings, 'container'>): Element | null | undefined {
  try {
    return typeof container === 'string' ? pageOf().querySelector(container) : container
  } catch {
    return invalid('container')
  }
}

export function createFrame(host: Host): Surface {
  const root = createShell(containerOf(host) ?? invalid('container'), host)
  const surface = putFrame(host, root, root, root)
  const shell = root.host as HTMLElement
  // Not `visibility`: an invisible frame must take no space, so that it does not move the page.
  shell.style.display = 'none'
  let before: HTMLElement | null = null
  return {
    ...surface,
    show() {
      shell.style.display = 'grid'
      const focused = pageOf().activeElement as HTMLElement | null
      // A frame that the page opens without a click, or while someone types, is not scrolled to.
      if (!navigator.userActivation?.isActive || focused?.matches('input,select,textarea')) return
      before ??= focused
      shell.tabIndex = -1
      // Not in the click, which would wait for a layout.
      setTimeout(() => {
        shell.focus({ preventScroll: true })
        shell.scrollIntoView({ block: 'nearest' })
      })
    },
    remove(stays) {
      const hasFocus = shell.matches(':focus-within')
      surface.remove(stays)
      if (hasFocus) before?.focus({ preventScroll: true })
    },
  }
}

/**
 * Puts a frame into `place` once there is an address, and notices beside it into `aside`. An address with a token is never in an
 * attribute, since that would put the token into the document.
 */
export function putFrame(
  host: Host,
  root: ShadowRoot,
  place: Element | ShadowRoot,
  aside: Element | ShadowRoot,
): Omit<Surface, 'show'> {
  const { strings, permissions, frameSandbox, onload, onrestart, onlost } = host
  const frame = Object.assign(pageOf().createElement('iframe'), {
    title: strings.title,
    referrerPolicy: 'no-referrer',
  })
  const draw = createNotice(host, aside, place)
  const watch = setInterval(() => (hasNavigated ? frame : root.host).isConnected || onlost(), 100)
  let hasNavigated = false
  /**
   * The window since its first page: a different one means that the frame was moved in the document. Not read in the click: Chromium would create
   * the blank page's global for it (M10 of docs/measurements.md).
   */
  let view: Window | null = null
  let wasUsed = false
  let sentenceShown: string | undefined
  if (frameSandbox !== undefined) frame.setAttribute('sandbox', frameSandbox)

  // A shopper who has used the widget has no trouble with it. While a sentence replaces the widget, WebKit may still focus the frame.
  const onBlur = (): void => {
    if (sentenceShown || root.activeElement !== frame) return
    wasUsed = true
    draw()
  }
  addEventListener('blur', onBlur)

  frame.onload = () => {
    const address = addressOf(frame.contentWindow)
    if (view && view !== frame.contentWindow) return onrestart()
    if (!hasNavigated || address === 'about:blank') return
    view = frame.contentWindow
    onload(address)
  }

  return {
    framed: true,
    view: () => frame.contentWindow,
    go(url, origin) {
      // With `location.replace`, a feature is granted only to an origin that is listed.
      frame.allow = permissions.map((each) => `${each} ${origin}`).join(';')
      hasNavigated = true
      view = null
      if (isOfWidget(url, origin)) {
        if (!frame.isConnected) place.append(frame)
        view = frame.contentWindow
        return view?.location.replace(url)
      }
      // A link of the merchant's server, whose ticket is bound to the page in `Referer`. `src` is set while the frame is detached from the page:
      // Chromium reads the policy only then, any other way adds an entry to the history in WebKit, so that Back would not leave the page, and a
      // frame in the page would send two requests.
      const { nextSibling } = frame
      frame.remove()
      frame.referrerPolicy = referrerPolicy
      frame.src = url
      place.insertBefore(frame, nextSibling)
    },
    focus: () => frame.focus(),
    setNotice(sentence, actions, busy) {
      sentenceShown = sentence
      draw(sentence, sentence || !wasUsed ? actions : undefined, busy)
    },
    remove() {
      clearInterval(watch)
      removeEventListener('blur', onBlur)
      root.host.remove()
    },
  }
}

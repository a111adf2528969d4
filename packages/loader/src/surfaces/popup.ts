/** The widget in a window: a popup, a tab of its own, or this very tab. */
import { pageOf } from '../names.ts'
import type { Settings } from '../settings.ts'
import { openLink, startLeaving } from './address.ts'
import { add, createNotice, createShell } from './shell.ts'
import { type Actions, addressOf, type Host, isOfWidget, type SetNotice, type Surface } from './surface.ts'

/**
 * The window that the click has opened, with a waiting page until the widget loads.
 *
 * @param isNavigating It is already loading the purchase's link.
 */
export function createWindow(host: Host, view: Window, name: string, isNavigating: boolean): Surface {
  const { mode, strings, onclose, oncancel, onfinish } = host
  const asPopup = mode === 'popup'
  let hasNavigated = isNavigating
  let setWindowNotice: SetNotice = () => {}
  let shown: string | undefined | null = null
  /** Repeats on this page an error that the window shows, or should: it may show another page. Without one, says that the purchase is there. Each once. */
  const setPageNotice = (problem?: string, actions?: Actions): void => {
    if (problem === shown) return
    shown = problem
    const bringToFront = (): void => view.focus()
    if (problem) host.setNotice(problem, { ...actions, bringToFront, cancel: onclose })
    else host.setNotice(strings.inOtherWindow, { bringToFront, finished: onfinish, cancel: oncancel })
  }
  try {
    if (!view.closed && addressOf(view) === 'about:blank')
      setWindowNotice = drawWaitingPage(view.document, host)
    setPageNotice()
  } catch (error) {
    view.close()
    throw error
  }
  const watch = watchWindow(view, host)
  return {
    view: () => (view.closed ? null : view),
    go(url, origin) {
      hasNavigated = true
      if (isOfWidget(url, origin)) view.location.replace(url)
      else openLink(url, name)
      // A tab of its own loses its opener, so that the widget's page can't navigate this one; `noopener` would return null, and WebKit finds no
      // window by its name without an opener. A popup keeps it: without an opener it could not be closed once it shows the widget's origin. The
      // drawback: its page can navigate this tab.
      if (!asPopup) view.opener = null
    },
    show() {},
    focus: () => view.focus(),
    setNotice(sentence, actions, busy) {
      setWindowNotice(sentence, actions, busy)
      setPageNotice(busy ? undefined : sentence, actions)
    },
    remove(stays) {
      clearInterval(watch)
      host.setNotice()
      // A tab of its own stays open for the shopper, once it shows anything.
      if (!stays && (asPopup || addressOf(view) === 'about:blank')) closeWindow(view, hasNavigated, asPopup)
    },
  }
}

/** The widget in place of this page. */
export const createRedirect = ({ setNotice }: Host): Surface => ({
  leaves: true,
  view: () => window,
  go(url, origin) {
    startLeaving()
    if (isOfWidget(url, origin)) location.assign(url)
    else openLink(url)
  },
  show() {},
  focus() {},
  setNotice,
  remove: () => setNotice(),
})

function drawWaitingPage(page: Document, settings: Settings): SetNotice {
  page.title = settings.strings.title
  page.documentElement.lang = settings.lang
  // The merchant's custom properties are set on this page, and the waiting page is another document.
  const pageStyle = getComputedStyle(pageOf().documentElement)
  for (const each of ['accent', 'background', 'color', 'radius', 'font', 'logo']) {
    const name = `--purchase-widget-${each}`
    page.documentElement.style.setProperty(name, pageStyle.getPropertyValue(name))
  }
  const main = add(createShell(page.body, settings), 'main')
  add(main, 'h1', { textContent: page.title })
  return createNotice(settings, main, main)
}

/** How long the window must show another origin before it counts as loaded: COOP also looks like that for a moment. */
const LOADED_AFTER_MS = 2_000

function watchWindow(view: Window, { onload, onlost }: Host): ReturnType<typeof setInterval> {
  let since = Date.now()
  let reported = 'about:blank'
  return setInterval(() => {
    if (view.closed) return onlost()
    const address = addressOf(view)
    if (!address) return Date.now() - since > LOADED_AFTER_MS ? onload(address) : undefined
    since = Date.now()
    // A page of this site, which may be there by mistake.
    if (address === reported || view.document.readyState !== 'complete') return
    reported = address
    onload(address)
  }, 100)
}

/**
 * Chromium ignores a close that coincides with the arrival at another site, and every later one too. A window that is still loading is therefore
 * first sent back to a blank page, even from the widget if that has already loaded, for ten seconds at most.
 */
function closeWindow(view: Window, hasNavigated: boolean, asPopup: boolean): void {
  const waitingPage = hasNavigated && addressOf(view) === 'about:blank' && view.document
  let retriesLeft = waitingPage ? 100 : 0
  const close = (): void => {
    // This page cannot navigate a tab that shows the widget.
    if (!view.closed && retriesLeft-- && (addressOf(view) ? view.document === waitingPage : asPopup)) {
      view.location.replace('about:blank')
      setTimeout(close, 100)
    } else view.close()
  }
  close()
}

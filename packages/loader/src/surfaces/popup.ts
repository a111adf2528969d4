/** The widget in a window of its own: a popup, or a tab. */
import type { Settings } from '../options.ts'
import { addressOf, type Surface } from './frame.ts'
import { add, createShell } from './shell.ts'

/**
 * Opens the window on a waiting page. Must run in the click: WebKit blocks a window opened after an awaited fetch (M4).
 *
 * @returns undefined when the browser blocks it.
 */
export function openWindow(settings: Settings, asPopup: boolean): Surface | undefined {
  const { popup: { width = 480, height = 720 } = {}, redirectPage } = settings
  const view = open('', '_blank', asPopup ? `width=${width},height=${height}` : '')
  if (!view) return
  // A tab of its own is cut off, so that the widget's page can't navigate this one; `noopener` would give null. A popup keeps its
  // opener, without which it could not be closed once it shows the widget's origin. The price: its page can navigate this tab
  // (docs/security.md says in which engines).
  if (!asPopup) view.opener = null
  let root: ShadowRoot
  try {
    showWaiting(view.document, settings)
    root = createShell(document.body, settings)
  } catch (error) {
    view.close()
    throw error
  }
  let onItsWay = false
  return {
    root,
    view: () => (view.closed ? null : view),
    go(url) {
      onItsWay = true
      view.location.replace(url)
    },
    focus: () => view.focus(),
    remove() {
      root.host.remove()
      // A return page that is meant to stay, stays; and a tab of its own is the person's.
      const address = addressOf(view)
      const stays = asPopup
        ? redirectPage === 'new' && address?.startsWith('http')
        : address !== 'about:blank'
      if (stays) return
      // In Chromium a close that meets the arrival at another site is lost, and so is every later one: on its way, the window goes back
      // to a blank page first, also from the widget where that came before, for ten seconds at most.
      const waiting = onItsWay && address === 'about:blank' && view.document
      let looks = waiting ? 100 : 0
      const close = (): void => {
        // A tab that shows the widget cannot be moved from here.
        if (!view.closed && looks-- && (addressOf(view) ? view.document === waiting : asPopup)) {
          view.location.replace('about:blank')
          setTimeout(close, 100)
        } else view.close()
      }
      close()
    },
  }
}

function showWaiting(page: Document, settings: Settings): void {
  const { strings, locale } = settings
  page.title = strings.title
  page.documentElement.lang = locale || document.documentElement.lang || 'en'
  const root = createShell(page.body, settings)
  root.host.role = 'main'
  add(root, 'h1', { textContent: strings.loading })
}

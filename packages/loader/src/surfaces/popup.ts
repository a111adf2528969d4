/** The widget in a window of its own: a popup, or a tab. */
import type { Settings } from '../options.ts'
import { addressOf, type Surface } from './frame.ts'
import { add, createShell } from './shell.ts'

/**
 * Opens the window on a waiting page. Must run in the click: WebKit blocks a window opened after an awaited fetch (M4).
 *
 * @returns null when the browser blocks it.
 */
export function openWindow(settings: Settings, popup: boolean): Surface | null {
  const view = open('', '_blank', popup ? featuresOf(settings) : '')
  if (!view) return null
  // A tab of its own can't move this page. A popup could (M6), but only an opener may close it. `noopener` would give null.
  if (!popup) view.opener = null
  const { document: page } = view
  page.title = settings.strings.title
  add(createShell(page.body, settings), 'p', { className: 'wait', textContent: settings.strings.loading })

  const shell = createShell(document.body, settings)
  const host = shell.host as HTMLElement
  host.dataset.bar = ''
  return {
    root: shell,
    view: () => view,
    alive: () => !view.closed,
    go: ({ url }) => view.location.replace(url),
    focus: () => view.focus(),
    remove() {
      // A return page that is meant to stay, stays.
      if (settings.redirectPage === 'self' || !addressOf(view)?.startsWith('http')) view.close()
      host.remove()
    },
  }
}

/** A popup in the middle of the window. */
function featuresOf({ popup }: Settings): string {
  const { width = 480, height = 720 } = popup ?? {}
  const left = screenX + (outerWidth - width) / 2
  const top = screenY + (outerHeight - height) / 2
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}

/** The widget in a window of its own: a popup, or a tab. */
import type { Settings } from '../options.ts'
import type { Surface } from './frame.ts'
import { add, createShell } from './shell.ts'

/**
 * Opens the window on a waiting page. Must run in the click: WebKit blocks a window opened after an awaited fetch (M4).
 *
 * @returns null when the browser blocks it.
 */
export function openWindow(settings: Settings, popup: boolean): Surface | null {
  // `noopener` would also give null when it opens (M6), so the tie is cut by hand: the widget can't move this page.
  const view = open('', '_blank', popup ? featuresOf(settings) : '')
  if (!view) return null
  view.opener = null
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
      view.close()
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

/** What the first stage itself shows to the shopper: a line at the bottom of the page, before the second stage can draw the loader's notices. */
import { pageOf } from './names.ts'
import { clearPurchaseId } from './outcome/kept.ts'
import type { WidgetStrings } from './types.ts'

/** English for the first stage, which does not load english.ts. An object, because the build would inline separate constants at every use. */
export const firstTexts: Pick<WidgetStrings, 'connecting' | 'failed' | 'notCharged' | 'notConfirmed'> = {
  connecting: 'Still connecting...',
  failed: 'The purchase could not be started.',
  notCharged: 'You have not been charged.',
  notConfirmed: 'It is not known yet whether your purchase went through.',
}

/** How long a notice stays if nothing removes it. */
const NOTICE_MS = 10_000

let line: HTMLElement | undefined

/**
 * Shows the line in place of the last one. Returns a function that removes it.
 *
 * @param view The blank window that the shopper is looking at; without it, or once it is closed, the line is on this page.
 */
function showNotice(text: string, view?: Window | null): () => void {
  const page = view && !view.closed ? view.document : pageOf()
  line?.remove()
  const shown = page.createElement('p')
  line = shown
  shown.role = 'alert'
  shown.textContent = text
  shown.style.cssText =
    'position:fixed;inset:auto 0 0;z-index:99999;margin:0;padding:1rem;background:Canvas;color:CanvasText;outline:1px solid'
  page.body.append(shown)
  return () => shown.remove()
}

type Strings = Partial<WidgetStrings> | undefined

const textOf = (strings: Strings, name: keyof typeof firstTexts): string =>
  strings?.[name] ?? firstTexts[name]

export const showConnecting = (strings: Strings, view: Window | null | undefined): (() => void) =>
  showNotice(textOf(strings, 'connecting'), view)

/**
 * @param doubtful An earlier purchase of this tab, which may be under way. The shopper reads that, and the next click after the notice opens another
 * one: without the second stage nobody can be asked about it.
 * @param isAlone Whether the second stage is still missing.
 */
export function showNotStarted(strings: Strings, doubtful: string | undefined, isAlone: () => boolean): void {
  const charged = textOf(strings, doubtful ? 'notConfirmed' : 'notCharged')
  const hide = showNotice(`${textOf(strings, 'failed')} ${charged}`)
  setTimeout(() => {
    hide()
    if (doubtful && isAlone()) clearPurchaseId(doubtful)
  }, NOTICE_MS)
}

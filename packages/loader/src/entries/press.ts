/** What both files of the script tag need: links and buttons with `data-purchase-widget`, and the texts of the language files. */
import { nullProto, pageOf, sharedGlobal } from '../names.ts'
import type { WidgetStrings } from '../types.ts'

/** A click that the first file has withheld from the browser. It waits for the second file, unless it has left. */
export interface Press {
  pressed: Element
  /** The window that the click has opened: null if the browser has blocked it, undefined if the click needs none. */
  view?: Window | null | undefined
  /** The name of the window. */
  name?: string
  /** Where the window, or else this tab, has gone without the second file: for a purchase of this site's companion, its id is in it. */
  left?: string
  /** The link's address at that time, with what its attributes added. */
  href?: string | undefined
}

/** Opens the widget of a link or button. */
export type Handle = (press: Press) => void

/** What the first file passes to the second, as a property of the second file's own script element. */
export interface Handover {
  tag: HTMLScriptElement
  widgetOrigin: string
  /** From now on each click is passed to `handle`, the waiting one and the callbacks of `ready` first. */
  takeOver(handle: Handle): void
  /** Follows a click's link; without one the shopper reads that nothing was opened. */
  follow(press: Press): void
}

export type RestScript = HTMLScriptElement & { purchaseWidget?: Handover }

export const isLink = (pressed: Element): pressed is HTMLAnchorElement =>
  pressed instanceof HTMLAnchorElement && !!pressed.href

/** The link or button may be in a shadow root, or contain one. */
export const pressedElement = (event: Event): Element | undefined =>
  event
    .composedPath()
    .find(
      (each): each is Element =>
        each instanceof Element && Element.prototype.hasAttribute.call(each, 'data-purchase-widget'),
    )

/** The browser handles a link that opens another tab or window, one of an image map or a drawing, and a click that another script has handled. */
export const isForBrowser = (pressed: Element, event: MouseEvent): boolean =>
  event.defaultPrevented ||
  (pressed.matches(':any-link') &&
    (!isLink(pressed) ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey ||
      pressed.hasAttribute('download') ||
      !['', '_self'].includes(pressed.target)))

/** The texts of the language files in a language, by default the page's. They are registered by language tag in lower case. */
export function stringsIn(locale?: string | null): WidgetStrings | undefined {
  const { strings }: { strings?: Record<string, WidgetStrings> } = nullProto(sharedGlobal())
  const known = nullProto(strings ?? {})
  const tag = (locale ?? pageOf().documentElement.lang).toLowerCase()
  return known[tag] ?? known[tag.replace(/-.*/, '')]
}

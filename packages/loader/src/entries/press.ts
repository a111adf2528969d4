/** Links and buttons with `data-purchase-widget`, as both files of the script tag see them. */
import { pageOf } from '../names.ts'
import type { Click } from '../opening/click.ts'

/** A click that the first file has kept from the browser, for the second. */
export interface Press {
  pressed: Element
  /** Its window, where it needs one. */
  click: Click | undefined
}

/** What the first file hands to the second, as a property of the second's own script element. */
export interface Handed {
  tag: HTMLScriptElement
  widgetOrigin: string
  /** From now on the second file takes the clicks; gives those that are waiting, and the callbacks of `ready`. */
  takeOver(): Queue
}

export type Queue = (Press | (() => void))[]

export type RestScript = HTMLScriptElement & { purchaseWidget?: Handed }

export const isLink = (pressed: Element): pressed is HTMLAnchorElement =>
  pressed instanceof HTMLAnchorElement && !!pressed.href

export const pressedIn = ({ target }: Event): Element | null | undefined =>
  (target as Element).closest?.('[data-purchase-widget]')

/** A link is the browser's own business in another tab or window, and where somebody else has taken the click. */
export const isForBrowser = (pressed: Element, event: MouseEvent): boolean =>
  event.defaultPrevented ||
  (isLink(pressed) &&
    (event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey ||
      pressed.hasAttribute('download') ||
      !['', '_self'].includes(pressed.target)))

/** Says that a purchase is under way: to CSS by an attribute, to screen readers by one polite sentence. Gives back the undo. */
export function setBusy(pressed: Element, sentence: string): () => void {
  const region = pageOf().createElement('div')
  region.role = 'status'
  // By the object model, which every Content-Security-Policy allows.
  region.style.cssText = 'position:fixed;clip-path:inset(50%)'
  pageOf().body.append(region)
  // A region has to be there before its text, or nothing is said.
  const timer = setTimeout(() => region.append(sentence))
  pressed.ariaBusy = 'true'
  return () => {
    clearTimeout(timer)
    region.remove()
    pressed.ariaBusy = null
  }
}

/** What both files of the script tag need: links and buttons with `data-purchase-widget`, and the texts of the language files. */
import { nullProto, pageOf, sharedGlobal } from '../names.ts'
import type { Click } from '../opening/click.ts'
import type { WidgetStrings } from '../types.ts'

/** A click that the first file has withheld from the browser, for the second file to handle. */
export interface Press {
  pressed: Element
  /** The click's window, if it needs one. */
  click: Click | undefined
}

/** What the first file passes to the second, as a property of the second file's own script element. */
export interface Handover {
  tag: HTMLScriptElement
  widgetOrigin: string
  /** From now on the second file handles clicks; returns the waiting ones and the callbacks of `ready`. */
  takeOver(): Queue
}

export type Queue = (Press | (() => void))[]

export type RestScript = HTMLScriptElement & { purchaseWidget?: Handover }

export const isLink = (pressed: Element): pressed is HTMLAnchorElement =>
  pressed instanceof HTMLAnchorElement && !!pressed.href

export const pressedElement = ({ target }: Event): Element | null | undefined =>
  (target as Element).closest?.('[data-purchase-widget]')

/** The browser handles a link that opens another tab or window, and a click that another script has handled. */
export const isForBrowser = (pressed: Element, event: MouseEvent): boolean =>
  event.defaultPrevented ||
  (isLink(pressed) &&
    (event.ctrlKey ||
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

/** Marks a purchase as under way: for CSS by an attribute, for screen readers by one polite sentence. Returns an undo function. */
export function setBusy(pressed: Element, sentence: string): () => void {
  const region = pageOf().createElement('div')
  region.role = 'status'
  // By the CSS object model, which every Content-Security-Policy allows.
  region.style.cssText = 'position:fixed;clip-path:inset(50%)'
  pageOf().body.append(region)
  // The region must exist before its text, or screen readers announce nothing.
  const timer = setTimeout(() => region.append(sentence))
  pressed.ariaBusy = 'true'
  return () => {
    clearTimeout(timer)
    region.remove()
    pressed.ariaBusy = null
  }
}

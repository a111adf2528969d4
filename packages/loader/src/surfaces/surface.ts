/** A place where the widget is shown: a frame, a dialog, a window, or this very tab. No code outside this folder asks which. */
import type { Settings } from '../settings.ts'
import type { WidgetStrings } from '../types.ts'

/** Buttons: the action of each, by the name of its label. */
export type Actions = Partial<Record<keyof WidgetStrings, () => void>>

/**
 * Shows a sentence to the shopper, with buttons, in place of the last one; without arguments it only removes the last one. A sentence
 * takes the widget's place; buttons alone go beside the widget and cover nothing. `busy`: something is under way, shown by a spinner,
 * which is static if the shopper prefers reduced motion.
 */
export type SetNotice = (sentence?: string, actions?: Actions, busy?: boolean) => void

export interface Surface {
  /** True if the widget replaces this page. */
  readonly leaves?: true
  /** True for frames, which load while invisible, report their load, and have room beside the widget. */
  readonly framed?: true
  /** The window that shows the widget; null once it was closed or removed, or COOP hides it. */
  view(): Window | null
  /** Navigates to another address; one with a token is never in an attribute of the page. `origin`, the widget's, is granted the permissions. */
  go(url: string, origin: string): void
  /** Makes a preloaded widget visible. */
  show(): void
  focus(): void
  setNotice: SetNotice
  /** Removes the surface and returns the focus. `stays`: a window of its own stays open for the shopper. Idempotent. */
  remove(stays?: boolean): void
}

/** What every surface is created from: the options, its callbacks, and the notices on the page itself. */
export interface Host extends Settings {
  /** Something has loaded after `go`: the widget, or an error page. */
  onload(address: string | undefined): void
  /** Reopens the widget where it was: its frame was moved in the document, or the shopper retries what was refused. */
  onrestart(): void
  /** The frame or window is gone or hidden. Called repeatedly. */
  onlost(): void
  /** The shopper is done. */
  onclose(): void
  /** The shopper cancels: no purchase will come of it. */
  oncancel(): void
  /** The shopper says that the purchase in another window is finished. */
  onfinish(): void
  /** Shows a notice on the page while the widget is elsewhere, or gone. */
  readonly setNotice: SetNotice
}

/** A window's address; undefined once the window shows another origin. */
export const addressOf = (view: Window | null): string | undefined => {
  try {
    return view?.location.href
  } catch {
    return undefined
  }
}

/** Whether an address is the widget's own, and may hold a token. Compared as origins: the merchant may write a host in capitals or as Unicode. */
export const isOfWidget = (url: string, origin: string): boolean => new URL(url).origin === origin

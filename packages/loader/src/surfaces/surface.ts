/** A place where the widget shows: a frame, a dialog, a window, or this very tab. Nothing outside this folder asks which. */
import type { Settings } from '../settings.ts'
import type { WidgetStrings } from '../types.ts'

/** Buttons: what each does, by the name of its label. */
export type Ways = Partial<Record<keyof WidgetStrings, () => void>>

/**
 * Says a sentence to the shopper, with the ways on, in place of what was said before; without arguments it only takes that back. A sentence
 * takes the widget's place; ways alone stand beside it, where nothing is covered. `busy`: something is under way, which shows as motion,
 * still where motion is reduced.
 */
export type Say = (sentence?: string, ways?: Ways, busy?: boolean) => void

export interface Surface {
  /** True where the widget takes the place of this page. */
  readonly leaves?: true
  /** True for frames, which load while nobody sees them, report their load, and have room beside the widget. */
  readonly framed?: true
  /** The window that shows the widget; null once somebody has closed or removed it, or COOP has put it out of sight. */
  view(): Window | null
  /** Shows another address, which is never in an attribute of the page. `origin`, the widget's, is granted the permissions. */
  go(url: string, origin: string): void
  /** Shows what was loaded unseen. */
  show(): void
  focus(): void
  say: Say
  /** Takes it away, and gives the focus back. `stays`: a window of its own is left to the shopper. Idempotent. */
  remove(stays?: boolean): void
}

/** What every surface is made with: the options, whom it tells, and what it can say on the page itself. */
export interface Host extends Settings {
  /** Something has loaded after `go`: the widget, or an error page. */
  onload(): void
  /** The widget is to be opened anew where it was: its frame was moved in the document, or the shopper tries again what was refused. */
  onrestart(): void
  /** The frame or window is gone, or out of sight. Told again and again. */
  onlost(): void
  /** The shopper is done. */
  onclose(): void
  /** The shopper says that nothing will come of it. */
  oncancel(): void
  /** Says something on the page while the widget is elsewhere, or gone. */
  readonly say: Say
}

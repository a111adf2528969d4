/** A place where the widget shows: a frame, a dialog, a window, or this very tab. Nothing outside this folder asks which. */

export interface Surface {
  /** True while this page lives on beside the widget; false where the widget takes its place. */
  readonly staysBeside: boolean
  /** True for frames, which load while nobody sees them and report their load. */
  readonly framed: boolean
  /** The window that shows the widget; null once somebody has closed or removed it, or COOP has put it out of sight. */
  view(): Window | null
  /** Shows another address, which is never in an attribute, nor in the history. `origin` is granted the permissions. */
  go(url: string, origin: string): void
  /** Shows what was loaded unseen. */
  show(): void
  focus(): void
  /** Says something to the shopper in the widget's place, or beside it, with what they can do; null takes it back. */
  say(notice: Notice | null): void
  /** Takes it away, and gives the focus back. `stays`: a window of its own is left to the shopper. Idempotent. */
  remove(stays?: boolean): void
}

/** A sentence for the shopper, and the ways on. */
export interface Notice {
  text: string | undefined
  /** `instead` of the widget, or `beside` it, where nothing is covered. */
  place: 'instead' | 'beside'
  /** Whether something is under way: shown as motion, still where motion is reduced. */
  busy: boolean
  buttons: readonly Choice[]
}

export interface Choice {
  label: string
  press: () => void
}

/** What a surface tells. */
export interface SurfaceListeners {
  /** Something has loaded after `go`: the widget, or an error page. */
  onload(): void
  /** The frame was moved in the document, which has emptied it. */
  onmove(): void
  /** The frame or window is gone, or out of sight. Told again and again. */
  onlost(): void
  /** The shopper is done. */
  onclose(): void
}

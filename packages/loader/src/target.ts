/** An address to open, for one purchase. */
export interface Target {
  purchaseId: string
  url: string
  /** The widget's. */
  origin: string
  /** Opened by the companion's link, which leads to the same purchase however often it is opened. */
  byLink?: true
  /** When an address that was fetched early is too old to be opened, in milliseconds since 1970. */
  until: number
  /** The same for a frame that was loaded early to be shown: it has used its ticket. */
  shownUntil: number
}

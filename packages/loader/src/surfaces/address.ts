/** Links, the windows that they open, and this tab while it leaves for one. */
import { pageOf } from '../names.ts'

/**
 * Navigates a window to the merchant's server with this page as `Referer`, for the ticket's origin and a declined shopper's way back. WebKit
 * sends none with `location.replace`, and a page's policy may omit it. Never for an address with a token: scripts could read it in the element.
 */
export const openLink = (href: string, target = ''): void =>
  Object.assign(pageOf().createElement('a'), { href, target, referrerPolicy }).click()

const LEAVING_MS = 5_000
let leavesUntil = 0

/** This tab begins to leave: for the widget, or for a return address. */
export function startLeaving(): void {
  leavesUntil = performance.now() + LEAVING_MS
  // Added once, however often it is called.
  addEventListener('pagehide', comeBack)
}

/**
 * Whether this tab is still leaving. A navigation that another click repeats cancels the first, and with it the cookie of a new guest; a click
 * that opens another purchase would begin two.
 */
export const isLeaving = (): boolean => performance.now() < leavesUntil

/** A shopper who comes back to this page finds buttons that work. */
const comeBack = (): void => {
  leavesUntil = 0
}

/** The whole URL for the page's own origin, whose server redirects without any; only the origin for others. */
export const referrerPolicy = 'strict-origin-when-cross-origin'

/** A unique window name. */
export const newName = (): string => `${Math.random()}`

/** Links, and the windows that they open. */
import { pageOf } from '../names.ts'

/**
 * Navigates a window to the merchant's server with this page as `Referer`, for the ticket's origin and a declined shopper's way back. WebKit
 * sends none with `location.replace`, and a page's policy may omit it. Never for an address with a token: scripts could read it in the element.
 */
export const openLink = (href: string, target = ''): void =>
  Object.assign(pageOf().createElement('a'), { href, target, referrerPolicy }).click()

/** The whole URL for the page's own origin, whose server redirects without any; only the origin for others. */
export const referrerPolicy = 'strict-origin-when-cross-origin'

/** A unique window name. */
export const newName = (): string => `${Math.random()}`

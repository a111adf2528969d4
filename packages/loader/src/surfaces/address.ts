import { pageOf } from '../names.ts'

/** Whether a window has left the page that it began with. */
export const addressOf = (view: Window | null): string | undefined => {
  try {
    return view?.location.href
  } catch {
    return undefined
  }
}

/**
 * Leads a window to the merchant's server with this page as `Referer`: a ticket is bound to its origin, and a declined shopper goes back to
 * the page. WebKit sends none with `location.replace`, and the page's policy may keep it. Never for an address with a token: another script could read it in the element.
 */
export const openLink = (href: string, target = ''): void =>
  Object.assign(pageOf().createElement('a'), { href, target, referrerPolicy }).click()

/** The whole page for its own origin, whose server leads on without any; the origin for others. */
export const referrerPolicy = 'strict-origin-when-cross-origin'

/** A window's name that no other has. */
export const newName = (): string => `${Math.random()}`

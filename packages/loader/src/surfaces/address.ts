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
 * Leads a window to the merchant's server with this page's origin as `Referer`, which a ticket is bound to: WebKit sends none with
 * `location.replace`, and the page's policy may keep it. Never for an address with a token: another script could read it in the element.
 */
export const openLink = (href: string, target = ''): void =>
  Object.assign(pageOf().createElement('a'), { href, target, referrerPolicy: 'origin' }).click()

/** A window's name that no other has. */
export const newName = (): string => `${Math.random()}`

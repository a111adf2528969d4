/** What options and environment say about where a companion stands, as it is checked. Read when first needed, never at import. */
import { isPlainAddress, namedAddress, withoutLastSlashes } from '../client/settings.ts'
import { InvalidInputError } from '../errors.ts'

/** Not every runtime has `process`. */
export const environment = (): Record<string, string | undefined> => globalThis.process?.env ?? {}

export const isProduction = (): boolean => environment().NODE_ENV === 'production'

/** Whether a developer is told more than a caller may know: not where nothing tells development from production. */
export const isDevelopment = (): boolean => globalThis.process !== undefined && !isProduction()

/** What `PURCHASE_COMPANION_URL` says, unchecked; empty when it says nothing. */
export const configuredUrl = (): string => environment().PURCHASE_COMPANION_URL?.trim() ?? ''

/** Room for `/return/`, the id and `/failed` in 120 characters, which no service cuts short. */
const LONGEST_URL = 80

/** @param name of the option or variable, for the message. */
export function checkUrl(address: string, name = 'url'): string {
  if (!isPlainAddress(address)) {
    throw new InvalidInputError(
      'configuration',
      `${name} must be https, or http on localhost or on a host of PURCHASE_PLAIN_HTTP_HOSTS, with nothing but a path, e.g. https://shop.example/api/purchase-widget.`,
    )
  }
  const checked = withoutLastSlashes(new URL(address).href)
  if (checked.length > LONGEST_URL)
    throw new InvalidInputError('configuration', `${name} may have at most ${LONGEST_URL} characters.`)
  return checked
}

/** What `PURCHASE_COMPANION_URL` says. */
export const checkVariable = (value: string): string =>
  checkUrl(value, namedAddress('PURCHASE_COMPANION_URL', value))

/** `scheme://host[:port]`, also for an app's own scheme, where `URL.origin` is `null`. Empty for what has no host. */
export function originOf(address: string): string {
  const url = URL.parse(address)
  return url?.host && !url.username && !url.password ? `${url.protocol}//${url.host}` : ''
}

/** The origins that a browser can open or frame: an app has one of its own. */
export const webOrigins = (origins: readonly string[]): string[] =>
  origins.filter((origin) => /^https?:/.test(origin))

/** Addresses and keys as settings: their valid values, where plain http is safe, and what is derived from the secret key. */
import { createHmac } from 'node:crypto'
import { misconfigured } from '../errors.ts'
import { type Check, must } from '../options.ts'

/** An address to which a path can be appended: https, or http on loopback; only scheme, host and path. */
export function checkAddress(value: unknown, name: string): string {
  const { href } = checkEndpoint(value, name)
  // `URL.search` and `URL.hash` are empty after a bare `?` or `#`, to which a path could not be appended.
  if (/[?#]/.test(href)) throw misconfigured(`${name} must not have a query or a fragment.`)
  return plainAddress(href)
}

/** An address that is called as it is: https, or http on loopback. */
export function checkEndpoint(value: unknown, name: string): URL {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (!url) throw misconfigured(`${name} must be a full address such as https://shop.example.`)
  if (!isSafe(url)) {
    throw misconfigured(
      `${name} must use https; http only on localhost, and outside of production on hosts that PURCHASE_PLAIN_HTTP_HOSTS names.`,
    )
  }
  if (url.username || url.password) throw misconfigured(`${name} must not hold a user name or password.`)
  return url
}

/** Without slashes at the end. */
export const plainAddress = (checked: string): string => withoutLast('/', new URL(checked).href)

/** A loop, because a regular expression for this takes quadratic time. */
export function withoutLast(character: string, text: string): string {
  let end = text.length
  while (text[end - 1] === character) end--
  return text.slice(0, end)
}

/** Messages never contain the key itself. */
export const checkKey: Check = must(
  (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
  'be a key without spaces, as the dashboard shows it',
)

/**
 * A secret for one purpose of this package, so that a merchant has no other secret to keep: 43 url-safe characters, the same on every
 * instance with the same secret key.
 */
export const derive = (secretKey: string, purpose: string): string =>
  createHmac('sha256', secretKey).update(`purchase-widget: ${purpose}`).digest('base64url')

export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/**
 * https, or plain http on localhost and on the hosts that `PURCHASE_PLAIN_HTTP_HOSTS` names, such as a sandbox in a container. Production
 * ignores that variable: anyone on the network path could read keys and tokens (decision 0036).
 */
export const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && (isLoopback(hostname) || namedHosts().includes(hostname)))

function namedHosts(): string[] {
  // Not every runtime has `process`.
  const { NODE_ENV, PURCHASE_PLAIN_HTTP_HOSTS = '' } = globalThis.process?.env ?? {}
  return NODE_ENV === 'production' ? [] : PURCHASE_PLAIN_HTTP_HOSTS.split(',').map((name) => name.trim())
}

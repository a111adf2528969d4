/** Addresses and keys as settings: their valid values, where plain http is safe, and what is derived from the secret key. */
import { createHmac } from 'node:crypto'
import { misconfigured } from '../errors.ts'
import { type Check, must } from '../options.ts'

/** An address to which a path can be appended: https, or http on loopback; only scheme, host and path. */
export function checkAddress(value: unknown, name: string): string {
  const text = typeof value === 'string' ? value : ''
  const problem = problemOf(text)
  if (problem !== null) throw misconfigured(`${name} ${problem}.`)
  return plainAddress(text)
}

/** Without slashes at the end. */
export const plainAddress = (checked: string): string => withoutLast('/', new URL(checked).href)

function problemOf(value: string): string | null {
  const url = URL.parse(value)
  if (!url) return 'must be a full address such as https://shop.example'
  if (!isSafe(url))
    return 'must use https; http only on localhost, and outside of production on hosts that PURCHASE_PLAIN_HTTP_HOSTS names'
  if (url.username || url.password) return 'must not hold a user name or password'
  // `search` and `hash` are empty after a bare `?` or `#`, to which a path could not be appended.
  return /[?#]/.test(url.href) ? 'must not have a query or a fragment' : null
}

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

/** Checks what a client is made of: its addresses and keys. */
import { InvalidInputError } from '../errors.ts'
import { isSafe } from '../loopback.ts'

/**
 * An address to which a path can be appended: https, or http on loopback; nothing but scheme, host and path.
 *
 * @param name of the option or variable, for the message.
 */
export function checkAddress(name: string, value: string): string {
  const reject = (problem: string): never => {
    throw new InvalidInputError('configuration', `${name} ${problem}.`)
  }
  const url = URL.parse(value)
  if (!url) return reject('must be a full address such as https://widget.example.com')
  if (!isSafe(url))
    reject(
      'must use https; http only on localhost, and outside of production on hosts that PURCHASE_PLAIN_HTTP_HOSTS names',
    )
  if (url.username || url.password) reject('must not hold a user name or password')
  if (url.search || url.hash) reject('must not have a query or a fragment')
  return withoutLastSlashes(url.href)
}

/** A loop, because a regular expression for this takes quadratic time. */
export function withoutLastSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}

/** The key itself is never named. */
export function checkKey(name: string, value: string): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw new InvalidInputError(
      'configuration',
      `${name} must be a key without spaces, as the dashboard shows it.`,
    )
  }
  return value
}

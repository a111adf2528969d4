/** Where a route begins in a path: whatever stands before it is where the companion is mounted. */
import { readReturn } from '../purchase/carrier.ts'
import { Refusal } from './answer.ts'

const route =
  /\/(?:(?:orders|purchases|webhook)\/[^/]+|launch|token|orders|subscriptions|user|webhook|purchase-widget(?:\.[^/]+)?\.js)\/*$/

/** What of a path is above the route; null for what is no route. The service may append to a return address. */
export function mountOf(pathname: string): string | null {
  const returned = readReturn(pathname)
  if (returned) return pathname.slice(0, pathname.indexOf(`/return/${returned.id}`))
  const at = route.exec(pathname)?.index
  return at === undefined ? null : pathname.slice(0, at)
}

/** The route's own path, without slashes at the end, wherever the companion is mounted. */
export function pathOf(pathname: string): string {
  const mount = mountOf(pathname)
  return mount === null ? pathname : pathname.slice(mount.length).replace(/\/+$/, '')
}

/** For the log: without the id that a path may end in, which may be the webhook's key. */
export const nameOf = (pathname: string): string =>
  pathOf(pathname).replace(/^\/(orders|purchases|webhook|return)\/.*$/, '/$1/:id')

/**
 * Origin and path of a request's address. A `Request` has normalised it already, and every request passes here: a `URL` would
 * cost more than the rest of the check. Some runtimes only build the address, from whatever the `Host` header says.
 */
export function splitAddress(address: string): { origin: string; pathname: string } {
  if (!URL.canParse(address)) throw new Refusal('invalid_request', 'The Host header is not valid.')
  const pathAt = address.indexOf('/', address.indexOf('//') + 2)
  const endAt = address.slice(pathAt).search(/[?#]/)
  return {
    origin: address.slice(0, pathAt),
    pathname: address.slice(pathAt, endAt < 0 ? undefined : pathAt + endAt),
  }
}

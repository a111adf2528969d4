/** Where a companion stands: where it is mounted, its public address, and the origins of the shop's pages. */
import { InvalidInputError } from '../errors.ts'
import { readReturn } from '../purchase/carrier.ts'
import { Refusal } from './answer.ts'
import type { CompanionOptions } from './options.ts'
import { checkUrl, checkVariable, configuredUrl, isProduction, originOf } from './setting.ts'

export interface Place {
  /** The companion's public address, without a slash at the end. */
  readonly url: string
  readonly origin: string
  /** Which setting says so; `Host` when none does. */
  readonly setting: 'url' | 'PURCHASE_COMPANION_URL' | 'Host'
  /** The origins of the merchant's own pages. */
  readonly shops: readonly string[]
  /** Whether that is the merchant's own list. */
  readonly isListed: boolean
}

/**
 * Gives where the companion stands, for a request.
 *
 * @throws InvalidInputError in production when neither the option nor the environment has an address.
 */
export function createPlaceOf({
  url: option,
  allowedOrigins,
}: Pick<CompanionOptions, 'url' | 'allowedOrigins'>): (request: Pick<Request, 'url'>) => Place {
  const placeAt = (url: string, setting: Place['setting']): Place => {
    const origin = originOf(url)
    return { url, origin, setting, shops: allowedOrigins ?? [origin], isListed: allowedOrigins !== undefined }
  }
  // Every request needs it, and it hardly ever changes.
  const byOption = remembered((url) => placeAt(checkUrl(url), 'url'))
  const byVariable = remembered((url) => placeAt(checkVariable(url), 'PURCHASE_COMPANION_URL'))
  const byHost = remembered((url) => placeAt(url, 'Host'))
  return (request) => {
    if (option) return byOption(option)
    const configured = configuredUrl()
    if (configured) return byVariable(configured)
    if (isProduction()) {
      throw new InvalidInputError(
        'configuration',
        'set url, or PURCHASE_COMPANION_URL, to the public address of the companion, e.g. https://shop.example/api/purchase-widget.',
      )
    }
    // The address that the request was sent to, up to the route: good enough for trying things out.
    const { origin, pathname } = splitAddress(request.url)
    return byHost(origin + (mountOf(pathname) ?? ''))
  }
}

/** Remembers the last answer of a function of one text. */
function remembered<T>(read: (text: string) => T): (text: string) => T {
  let last: { text: string; answer: T } | null = null
  return (text) => {
    if (last?.text !== text) last = { text, answer: read(text) }
    return last.answer
  }
}

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

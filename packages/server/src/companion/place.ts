/** The companion's environment, public address and mount path, and the origins of the shop's pages. Read on first use, never at import. */
import { checkAddress, withoutLast } from '../client/settings.ts'
import { misconfigured } from '../errors.ts'
import { readReturn } from '../purchase/carrier.ts'

/** Not every runtime has `process`. */
export const environment = (): Record<string, string | undefined> => globalThis.process?.env ?? {}

export const isProduction = (): boolean => environment().NODE_ENV === 'production'

/** Whether a developer may learn more than a caller: never where nothing distinguishes development from production. */
export const isDevelopment = (): boolean => globalThis.process !== undefined && !isProduction()

/** The value of `PURCHASE_COMPANION_URL`, unchecked; empty if it is not set. */
export const configuredUrl = (): string => environment()[companionUrlVariable]?.trim() ?? ''

/** Leaves room for `/return/`, the id and `/failed` in 120 characters, which no service cuts short. */
const MAX_URL_LENGTH = 80

/** @param name of the option or variable, for the message. */
export function checkUrl(address: unknown, name = 'url'): string {
  const checked = checkAddress(address, name)
  if (checked.length > MAX_URL_LENGTH)
    throw misconfigured(`${name} may have at most ${MAX_URL_LENGTH} characters.`)
  return checked
}

export const companionUrlVariable = 'PURCHASE_COMPANION_URL'

/** `scheme://host[:port]`, also for an app's own scheme, where `URL.origin` is `null`. Empty for an address without a host. */
export function originOf(address: string): string {
  const url = URL.parse(address)
  return url?.host && !url.username && !url.password ? `${url.protocol}//${url.host}` : ''
}

/** The origins that a browser can open or frame, which excludes an app's own. */
export const webOrigins = (origins: readonly string[]): string[] =>
  origins.filter((origin) => /^https?:/.test(origin))

export interface Place {
  /** The companion's public address, without a slash at the end. */
  readonly url: string
  readonly origin: string
  /** The setting that it comes from; `Host` without one. */
  readonly setting: 'url' | typeof companionUrlVariable | 'Host'
  /** The origins of the merchant's own pages. */
  readonly shops: readonly string[]
  /** Whether that is the merchant's own list. */
  readonly isListed: boolean
}

/** For a request's address. Throws InvalidInputError in production when neither the option nor the environment has the companion's. */
export function createPlaceOf(options: {
  url?: string
  allowedOrigins?: readonly string[]
}): (address: URL) => Place {
  const { url: option, allowedOrigins } = options
  const placeAt = (url: string, setting: Place['setting']): Place => {
    const origin = originOf(url)
    return { url, origin, setting, shops: allowedOrigins ?? [origin], isListed: allowedOrigins !== undefined }
  }
  return ({ origin, pathname }) => {
    if (option) return placeAt(checkUrl(option), 'url')
    const configured = configuredUrl()
    if (configured) return placeAt(checkUrl(configured, companionUrlVariable), companionUrlVariable)
    if (isProduction()) {
      throw misconfigured(
        'set url, or PURCHASE_COMPANION_URL, to the public address of the companion, e.g. https://shop.example/api/purchase-widget.',
      )
    }
    // The address that the request was sent to, up to the route: sufficient for experiments.
    return placeAt(origin + (mountOf(pathname) ?? ''), 'Host')
  }
}

/** The mount path is as long as it can be, since it may end in the name of a route: `/api/purchases/launch` is `/launch`. */
const route =
  /^(.*)\/(?:(?:orders|purchases|webhook)\/[^/]+|launch|token|orders|subscriptions|user|webhook|purchase-widget(?:\.[^/]+)?\.js)\/*$/

/** The part of a path above the route; null if it has no route. The service may append to a return address. */
export function mountOf(pathname: string): string | null {
  const returned = readReturn(pathname)
  if (returned) return pathname.slice(0, pathname.indexOf(`/return/${returned.id}`))
  return route.exec(pathname)?.[1] ?? null
}

/** The route's own path, without slashes at the end, wherever the companion is mounted. */
export function pathOf(pathname: string): string {
  const mount = mountOf(pathname)
  return mount === null ? pathname : withoutLast('/', pathname.slice(mount.length))
}

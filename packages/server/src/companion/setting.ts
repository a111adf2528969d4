/** Where a companion stands: its address, its pages' origins, its environment. Read when first needed, never at import. */
import { isPlainAddress, namedAddress, withoutLastSlashes } from '../client/settings.ts'
import { InvalidInputError } from '../errors.ts'
import { originOf } from './guard.ts'
import type { CompanionOptions } from './options.ts'
import { mountOf, splitAddress } from './paths.ts'

/** What `PURCHASE_COMPANION_URL` says, unchecked; empty when it says nothing. */
export const configuredUrl = (): string => environment().PURCHASE_COMPANION_URL?.trim() ?? ''

/** Which setting says where the companion is; `Host` when none does. */
const settingOf = (option: string | undefined): 'url' | 'PURCHASE_COMPANION_URL' | 'Host' =>
  option ? 'url' : configuredUrl() ? 'PURCHASE_COMPANION_URL' : 'Host'

/**
 * The companion's public address.
 *
 * @param asked the address that the request was sent to, up to the route: good enough for trying things out.
 * @throws InvalidInputError in production when neither the option nor the environment has one.
 */
export function urlOf(option: string | undefined, asked: string): string {
  if (option) return checkedUrl(option)
  const configured = configuredUrl()
  if (configured) return checkedVariable(configured)
  if (!isProduction()) return asked
  throw new InvalidInputError(
    'configuration',
    'set url, or PURCHASE_COMPANION_URL, to the public address of the companion, e.g. https://shop.example/api/purchase-widget.',
  )
}

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

/** Each request needs the address several times. */
const checkedUrl = remembered((option) => checkUrl(option))
const checkedVariable = remembered(checkVariable)

/** What `PURCHASE_COMPANION_URL` says. */
export function checkVariable(value: string): string {
  return checkUrl(value, namedAddress('PURCHASE_COMPANION_URL', value))
}

/**
 * @throws InvalidInputError for anything but origins: a host alone, a path and `*` would match nothing, or everything.
 */
export function checkOrigins(origins: readonly string[]): readonly string[] {
  const wrong = origins.find((origin) => typeof origin !== 'string' || originOf(origin) !== origin)
  if (wrong === undefined) return origins
  throw new InvalidInputError(
    'configuration',
    `allowedOrigins: ${String(wrong)} is not an origin such as https://shop.example.`,
  )
}

/** Where the companion believes to be, and how it knows: for what a developer is told. */
export interface Believed {
  readonly url: string
  readonly setting: 'url' | 'PURCHASE_COMPANION_URL' | 'Host'
  readonly allowed: readonly string[]
  /** Whether `allowed` is the merchant's own list. */
  readonly isListed: boolean
}

/** Gives null while the address is not configured. */
export type BelievedFor = (request: Pick<Request, 'url'>) => Believed | null

export function createBelievedFor(
  options: Pick<CompanionOptions, 'url' | 'allowedOrigins'>,
  originsOf: (url: () => string) => readonly string[],
): BelievedFor {
  return ({ url: asked }) => {
    try {
      const { origin, pathname } = splitAddress(asked)
      const url = urlOf(options.url, origin + (mountOf(pathname) ?? ''))
      const isListed = options.allowedOrigins !== undefined
      return { url, setting: settingOf(options.url), allowed: originsOf(() => url), isListed }
    } catch {
      return null
    }
  }
}

/** Remembers the last answer of a function of one text: for what every request asks, and what hardly ever changes. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  let last: { text: string; answer: T } | null = null
  return (text) => {
    if (last?.text !== text) last = { text, answer: read(text) }
    return last.answer
  }
}

/** Not every runtime has `process`. */
export const environment = (): Record<string, string | undefined> => globalThis.process?.env ?? {}

export const isProduction = (): boolean => environment().NODE_ENV === 'production'

/** Whether a developer is told more than a caller may know: not where nothing tells development from production. */
export const isDevelopment = (): boolean => globalThis.process !== undefined && !isProduction()

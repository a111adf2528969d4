/** Where a companion stands: its address, its pages' origins, its environment. Read when first needed, never at import. */
import { withoutLastSlashes } from '../client/checkSettings.ts'
import { InvalidInputError } from '../errors.ts'
import { isSafe } from '../loopback.ts'
import { causeOf, sentenceOf } from '../mistakes/table.ts'
import { namedAddress } from '../namedAddress.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import { environment, isProduction } from './environment.ts'
import { originOf } from './guard.ts'
import { remembered } from './remembered.ts'
import { warnOf } from './report.ts'

/** What `PURCHASE_COMPANION_URL` says, unchecked; empty when it says nothing. */
export const configuredUrl = (): string => environment().PURCHASE_COMPANION_URL?.trim() ?? ''

/** Which setting says where the companion is; `Host` when none does. */
export const settingOf = (option: string | undefined): 'url' | 'PURCHASE_COMPANION_URL' | 'Host' =>
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
  const url = URL.parse(address)
  if (!url || !isSafe(url) || url.username || url.password || url.search || url.hash) {
    throw new InvalidInputError(
      'configuration',
      `${name} must be https, or http on localhost or on a host of PURCHASE_PLAIN_HTTP_HOSTS, with nothing but a path, e.g. https://shop.example/api/purchase-widget.`,
    )
  }
  const checked = withoutLastSlashes(url.href)
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

/**
 * @throws InvalidInputError in production when no store is given; elsewhere that is one warning.
 */
export function storeOf(store: Store | undefined): Store {
  if (store) return store
  const cause = causeOf('store_missing', {})
  if (isProduction()) throw new InvalidInputError('configuration', sentenceOf(cause))
  warnOf(cause)
  return memoryStore()
}

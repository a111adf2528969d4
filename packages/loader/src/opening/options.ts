/** Completes the merchant's options, once, before anything opens. */

import { invalid } from '../errors.ts'
import { nullProto, pageOf } from '../names.ts'
import { appearanceOf, givenIn, type Settings } from '../settings.ts'
import type { PurchaseWidgetOptions, WidgetBehaviour } from '../types.ts'
import { originOf } from '../url.ts'
import { modeOf } from './click.ts'

/** The defaults. */
const defaults = {
  redirectPage: 'self',
  whenBlocked: 'modal',
  preload: 'none',
  permissions: [
    'payment',
    'camera',
    'microphone',
    'clipboard-write',
    'publickey-credentials-get',
    'publickey-credentials-create',
  ],
} satisfies WidgetBehaviour

const DEFAULT_TIMEOUT_MS = 15_000

/** Whether a timer can wait that long; any other, such as the NaN of a mistyped attribute, would end every opening at once. */
const isTimeout = (value: number | undefined): value is number =>
  value !== undefined && value > 0 && value < 2 ** 31

/** On a server there is no page, so a relative address is resolved against a stand-in and checked there. */
export const absolute = (url: string): string => {
  try {
    return new URL(url, globalThis.document ? pageOf().baseURI : 'https://localhost').href
  } catch {
    return url
  }
}

export const addresses = ['redirect_url', 'fail_redirect_url'] as const

/** Converts values to text and makes return addresses absolute, which must lead to the merchant's own pages. */
function checkParams(
  given: object,
  allowedOrigins: readonly string[],
  allowed: Parameters<typeof originOf>[2],
): Record<string, string> {
  const params = nullProto<Record<string, string>>({})
  for (const [name, value] of Object.entries(given)) if (value != null) params[name] = `${value}`
  for (const name of addresses) {
    if (!params[name] || !globalThis.document) continue
    params[name] = absolute(params[name])
    if (!allowedOrigins.includes(originOf(params[name], `params.${name}`, allowed))) invalid(`params.${name}`)
  }
  return params
}

/**
 * Every build refuses addresses that must not be opened; the development build reports other mistakes (`check.ts`).
 *
 * @throws WidgetError `invalid_options`, naming the option.
 */
export function parseOptions(options: PurchaseWidgetOptions): Settings {
  const given = givenIn(options)
  const { locale, loadTimeout } = given
  for (const name of ['companion', 'launchUrl'] as const)
    if (given[name] !== undefined) {
      given[name] = absolute(given[name])
      originOf(given[name], name, given)
    }
  // A widget page is never on the merchant's own origin, so its address is never relative.
  if (given.companion === undefined || given.widgetUrl !== undefined)
    originOf(given.widgetUrl, 'widgetUrl', given)
  if (given.widgetOrigin !== undefined)
    given.widgetOrigin = new URL(originOf(given.widgetOrigin, 'widgetOrigin', given)).origin
  const companionOrigin = given.companion && new URL(given.companion).origin
  const others = (given.allowedReturnOrigins ?? []).map(
    // Only the origin.
    (each) => new URL(originOf(each, 'allowedReturnOrigins', given)).origin,
  )
  // On a server there is no page origin.
  const allowedOrigins = [globalThis.origin, companionOrigin, ...others].flatMap((each) => each ?? [])
  return nullProto({
    ...defaults,
    ...given,
    mode: modeOf(given),
    loadTimeout: isTimeout(loadTimeout) ? loadTimeout : DEFAULT_TIMEOUT_MS,
    ...appearanceOf(given),
    allowedOrigins,
    returnOrigins: companionOrigin ? [companionOrigin] : allowedOrigins,
    params: checkParams({ ...given.params, ...(locale && { locale }) }, allowedOrigins, given),
  } as unknown as Settings)
}

/** Completes what the merchant gave, once, before anything is opened. */

import { invalid } from '../errors.ts'
import { own, pageOf } from '../names.ts'
import { lookOf, type Settings } from '../settings.ts'
import type { PurchaseWidgetOptions, WidgetBehaviour } from '../types.ts'
import { originOf } from '../url.ts'
import { modeOf } from './click.ts'

/** What holds where nothing else is given. */
const defaults = {
  redirectPage: 'self',
  whenBlocked: 'modal',
  preload: 'none',
  loadTimeout: 15_000,
  permissions: [
    'payment',
    'camera',
    'microphone',
    'clipboard-write',
    'publickey-credentials-get',
    'publickey-credentials-create',
  ],
} satisfies WidgetBehaviour

/** On a server there is no page: a relative address is checked there as if there were one. */
export const absolute = (url: string): string => {
  try {
    return new URL(url, globalThis.document ? pageOf().baseURI : 'https://localhost').href
  } catch {
    return url
  }
}

export const addresses = ['redirect_url', 'fail_redirect_url'] as const

/** Makes values text and return addresses absolute: those must lead to the merchant's own pages. */
function checkParams(
  given: object,
  allowedOrigins: readonly string[],
  absolute: (url: string) => string,
  allowed: Parameters<typeof originOf>[2],
): Record<string, string> {
  const params = own<Record<string, string>>({})
  for (const [name, value] of Object.entries(given)) if (value != null) params[name] = `${value}`
  for (const name of addresses) {
    if (!params[name] || !globalThis.document) continue
    params[name] = absolute(params[name])
    if (!allowedOrigins.includes(originOf(params[name], `params.${name}`, allowed))) invalid(`params.${name}`)
  }
  return params
}

/**
 * Every build refuses addresses that may not be opened; other mistakes are found in the development build (`check.ts`).
 *
 * @throws WidgetError `invalid_options`, naming the option.
 */
export function parseOptions(options: PurchaseWidgetOptions): Settings {
  const given: Partial<PurchaseWidgetOptions> = own(
    Object.fromEntries(Object.entries(options).filter(([, value]) => value != null)),
  )
  const { locale } = given
  for (const name of ['companion', 'launchUrl'] as const)
    if (given[name] !== undefined) {
      given[name] = absolute(given[name])
      originOf(given[name], name, given)
    }
  // A widget page is never on the merchant's own origin, so that its address is never relative.
  if (given.companion === undefined || given.widgetUrl !== undefined)
    originOf(given.widgetUrl, 'widgetUrl', given)
  if (given.widgetOrigin !== undefined)
    given.widgetOrigin = new URL(originOf(given.widgetOrigin, 'widgetOrigin', given)).origin
  const companionOrigin = given.companion && new URL(given.companion).origin
  const others = (given.allowedReturnOrigins ?? []).map(
    // An origin, and nothing more.
    (each) => new URL(originOf(each, 'allowedReturnOrigins', given)).origin,
  )
  // On a server the page has none.
  const allowedOrigins = [globalThis.origin, companionOrigin, ...others].flatMap((each) => each ?? [])
  return own({
    ...defaults,
    ...given,
    mode: modeOf(given),
    popup: own({ width: 480, height: 720, ...given.popup }),
    ...lookOf(given),
    allowedOrigins,
    returnOrigins: companionOrigin ? [companionOrigin] : allowedOrigins,
    params: checkParams({ ...given.params, ...(locale && { locale }) }, allowedOrigins, absolute, given),
  } as unknown as Settings)
}

/** Checks what the merchant gave, once, before anything is opened. */
import { invalid } from '../errors.ts'
import { lookOf } from '../look.ts'
import { pageOf } from '../names.ts'
import { own } from '../own.ts'
import type { Settings } from '../settings.ts'
import type { PurchaseWidgetOptions, TokenSource, WidgetBehaviour } from '../types.ts'
import { originOf } from '../url.ts'
import { checkParams } from './params.ts'

/** What each option may be, as the refusal says it. */
const rules = {
  companion: '<string>',
  launch: '<boolean>',
  headers: '<object> or <function>',
  widgetUrl: '<string>',
  accessToken: '<string> or <function>',
  launchUrl: '<string>',
  confirm: '<function>',
  mode: 'iframe or modal or popup or redirect',
  container: '<string> or <object>',
  redirectPage: 'self or new',
  whenBlocked: 'modal or redirect or none',
  params: '<object>',
  preload: 'none or intent or eager',
  loadTimeout: '<number>',
  popup: '<object>',
  title: '<string>',
  locale: '<string>',
  strings: '<object>',
  theme: 'light or dark or system',
  permissions: '<object>',
  frameSandbox: '<string>',
  allowedReturnOrigins: '<object>',
  plainHttpHosts: '<object>',
  interpretMessage: '<function>',
} satisfies Record<keyof TokenSource | keyof WidgetBehaviour, string>

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

const sources = ['companion', 'accessToken', 'launchUrl'] as const

/** On a server there is no page: a relative address is checked there as if there were one. */
export const absolute = (url: string): string => {
  try {
    return new URL(url, globalThis.document ? pageOf().baseURI : 'https://localhost').href
  } catch {
    return url
  }
}

/** What was given, without what is undefined. */
function checkNames(options: object): Record<string, unknown> {
  const given = own<Record<string, unknown>>({})
  for (const [name, value] of Object.entries(options)) {
    if (value == null) continue
    if (!Object.hasOwn(rules, name)) invalid(`${name}: no such option.`)
    const rule = rules[name as keyof typeof rules]
    const allowed: readonly unknown[] = rule.split(' or ')
    if (!(allowed.includes(value) || allowed.includes(`<${typeof value}>`)) || Number.isNaN(value))
      invalid(`${name}: use ${rule}.`)
    given[name] = value
  }
  return given
}

/** @throws WidgetError `invalid_options`, naming the option and what it may be. */
export function parseOptions(options: PurchaseWidgetOptions): Settings {
  const given = checkNames(options) as Partial<PurchaseWidgetOptions> & Record<string, unknown>
  const { container, locale, mode = container ? 'iframe' : 'modal' } = given
  const [source, second] = sources.filter((name) => given[name] !== undefined)
  if (!source || second) invalid('companion, accessToken, launchUrl: pass one of them.')
  if (source !== 'accessToken') {
    given[source] &&= absolute(given[source])
    originOf(given[source], source, given)
  }
  // A widget page is never on the merchant's own origin, so that its address is never relative.
  if (source !== 'companion' || given.widgetUrl !== undefined) originOf(given.widgetUrl, 'widgetUrl', given)
  if ((mode === 'iframe') !== !!container) invalid('container: pass one for mode iframe, and for no other.')
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
    mode,
    popup: own({ width: 480, height: 720, ...given.popup }),
    ...lookOf(given),
    allowedOrigins,
    returnOrigins: companionOrigin ? [companionOrigin] : allowedOrigins,
    params: checkParams({ ...given.params, ...(locale && { locale }) }, allowedOrigins, absolute, given),
  } as unknown as Settings)
}

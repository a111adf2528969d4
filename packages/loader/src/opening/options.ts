/** Checks what the merchant gave, once, before anything is opened. */
import { invalid } from '../errors.ts'
import { strings as english } from '../locales/en.ts'
import { ofDocument } from '../names.ts'
import { own } from '../own.ts'
import type { Settings } from '../settings.ts'
import type { PurchaseWidgetOptions, TokenSource, WidgetBehaviour } from '../types.ts'
import { originOf } from '../url.ts'
import { checkParams } from './params.ts'

/** What each option may be: of a type, or one of a list, whose first is the default. */
const rules = {
  companion: 'string',
  launch: 'boolean',
  headers: 'object function',
  widgetUrl: 'string',
  accessToken: 'string function',
  launchUrl: 'string',
  confirm: 'function',
  mode: ['modal', 'iframe', 'popup', 'redirect'],
  container: 'string object',
  redirectPage: ['self', 'new'],
  whenBlocked: ['modal', 'redirect', 'none'],
  params: 'object',
  preload: ['none', 'intent', 'eager'],
  loadTimeout: 'number',
  popup: 'object',
  title: 'string',
  locale: 'string',
  strings: 'object',
  theme: ['system', 'light', 'dark'],
  permissions: 'object',
  frameSandbox: 'string',
  allowedReturnOrigins: 'object',
  interpretMessage: 'function',
} satisfies Record<keyof TokenSource | keyof WidgetBehaviour, string | readonly string[]>

const sources = ['companion', 'accessToken', 'launchUrl'] as const

const permissions = [
  'payment',
  'camera',
  'microphone',
  'clipboard-write',
  'publickey-credentials-get',
  'publickey-credentials-create',
]

/** On a server there is no page: a relative address is checked there as if there were one. */
const absolute = (url: string): string => {
  try {
    return new URL(url, globalThis.document ? ofDocument('baseURI') : 'https://localhost').href
  } catch {
    return url
  }
}

/** What was given, without what is undefined. */
function checkNames(options: object): Record<string, unknown> {
  const given = own<Record<string, unknown>>({})
  for (const [name, value] of Object.entries(options)) {
    if (value == null) continue
    const rule = Object.hasOwn(rules, name)
      ? rules[name as keyof typeof rules]
      : invalid(`${name}: no such option.`)
    if (typeof rule !== 'string') {
      if (!rule.includes(value as never)) invalid(`${name}: use one of ${rule.join(', ')}.`)
    } else if (!rule.split(' ').includes(typeof value) || Number.isNaN(value))
      invalid(`${name}: pass ${rule.replace(' ', ' or ')}.`)
    given[name] = value
  }
  return given
}

/** An origin, and nothing more. */
const checkOrigin = (value: unknown): string => {
  const origin = originOf(value, 'allowedReturnOrigins')
  return new URL(origin).origin
}

const defaults = () =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([name, rule]) => (typeof rule === 'string' ? [] : [[name, rule[0]]])),
  )

/** @throws WidgetError `invalid_options`, naming the option and what it may be. */
export function parseOptions(options: PurchaseWidgetOptions): Settings {
  const given = checkNames(options) as Partial<PurchaseWidgetOptions> & Record<string, unknown>
  const { container, title, locale, strings } = given
  if (sources.filter((name) => given[name] !== undefined).length !== 1)
    invalid('companion, accessToken, launchUrl: pass one of them.')
  for (const name of ['companion', 'launchUrl', 'widgetUrl'] as const) {
    if (given[name] === undefined && (name !== 'widgetUrl' || given.companion)) continue
    // A widget page is never on the merchant's own origin, so that its address is never relative.
    if (name !== 'widgetUrl' && given[name]) given[name] = absolute(given[name])
    originOf(given[name], name)
  }
  if (given.companion) given.companion = given.companion.replace(/\/$/, '')
  const mode = given.mode ?? (container ? 'iframe' : 'modal')
  if ((mode === 'iframe') !== !!container) invalid('container: pass one for mode iframe, and for no other.')
  const returnOrigins = given.companion ? [new URL(given.companion).origin] : []
  const allowedOrigins = [
    ...(globalThis.origin ? [globalThis.origin] : []),
    ...returnOrigins,
    ...(given.allowedReturnOrigins ?? []).map(checkOrigin),
  ]
  const lang = globalThis.document && ofDocument('documentElement').lang
  return own({
    ...defaults(),
    permissions,
    loadTimeout: 15_000,
    ...given,
    mode,
    popup: own({ width: 480, height: 720, ...given.popup }),
    strings: own({ ...english, ...(title && { title }), ...strings }),
    // English text is never shown as another language.
    lang: (strings && (locale || lang)) || 'en',
    allowedOrigins,
    returnOrigins: given.companion ? returnOrigins : allowedOrigins,
    params: checkParams({ ...given.params, ...(locale && { locale }) }, allowedOrigins, absolute),
  } as unknown as Settings)
}

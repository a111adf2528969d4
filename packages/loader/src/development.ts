/**
 * Messages about developers' mistakes. Only the build for the condition `development` has them, under the name `#words`; `production.ts`
 * takes their place in the others. They never change how the loader works: every build checks what protects shoppers.
 */
import { english } from './english.ts'
import type { PurchaseWidgetOptions, TokenSource, WidgetBehaviour, WidgetErrorCode } from './types.ts'

const address = 'use https, or http on localhost or plainHttpHosts.'
const returnAddress = 'use https, on the page’s own origin or one of allowedReturnOrigins.'

/** By error code, or by the subject of the error. */
const sentences: Record<string, string> = {
  token_failed: 'Check your server.',
  popup_blocked: 'Call open() in the click, or set whenBlocked.',
  open_failed: 'The widget could not be opened; see cause.',
  load_timeout: 'The widget has not loaded in loadTimeout.',
  frame_blocked: 'Add the widget to frame-src of your Content-Security-Policy.',
  confirm_failed: 'Your server did not say how the purchase ended.',
  destroyed: 'This widget was destroyed; make a new one.',
  companion: address,
  widgetUrl: address,
  widgetOrigin: address,
  launchUrl: address,
  allowedReturnOrigins: address,
  'params.redirect_url': returnAddress,
  'params.fail_redirect_url': returnAddress,
  accessToken: 'pass text.',
  loadTimeout: 'your server did not answer in that time.',
  container: 'nothing on the page matches it.',
  href: 'only the launch address opens the widget.',
} satisfies Record<Exclude<WidgetErrorCode, 'invalid_options'>, string> & Record<string, string>

export const explain = (code: WidgetErrorCode, about: string): string =>
  sentences[about] ? `${about}: ${sentences[about]}` : [about, sentences[code]].filter(Boolean).join(' ')

/** What each option may be, in the words of the error message. */
const rules = {
  companion: '<string>',
  pageToken: '<boolean>',
  widgetOrigin: '<string>',
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
  loadTimeout: '<positive number>',
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

/** The same for what is inside an option. */
const innerRules = {
  popup: { width: '<positive number>', height: '<positive number>' },
  strings: Object.fromEntries(Object.keys(english).map((name) => [name, '<string>'])),
} satisfies Partial<Record<keyof WidgetBehaviour, object>>

/** The service's names in snake case, which are easily misspelt. */
const fields =
  'custom_id user_id product_id base_amount quote_amount utm_source redirect_url fail_redirect_url'.split(' ')

/** Names that are not parameters, and what to do instead. */
const notParams = new Map([
  ['accessToken', 'leave it out.'],
  ['redirect_page', 'use the option redirectPage.'],
  ['redirectPage', 'use the option redirectPage.'],
])

/** The first mistake in the merchant's options: the option, and what to do. Every build checks addresses. */
export function mistakeIn(options: PurchaseWidgetOptions): string | undefined {
  if (!options) return "options: pass an object, such as { companion: '/api/purchase-widget' }."
  const { popup, strings, params } = options
  return (
    mistakeInValues('', options, rules) ??
    mistakeInValues('popup.', popup, innerRules.popup) ??
    mistakeInValues('strings.', strings, innerRules.strings) ??
    mistakeInCombination(options) ??
    mistakeInParams(params)
  )
}

/** @param prefix What precedes the names in the message. */
function mistakeInValues(
  prefix: string,
  values: object | undefined,
  rules: Readonly<Record<string, string>>,
): string | undefined {
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value == null) continue
    const rule = Object.hasOwn(rules, name) && rules[name]
    if (!rule) return `${prefix}${name}: no such option.`
    const isPositive = typeof value === 'number' && value > 0 && value < Infinity
    const allowed: readonly unknown[] = rule.split(' or ')
    if (!allowed.includes(value) && !allowed.includes(isPositive ? '<positive number>' : `<${typeof value}>`))
      return `${prefix}${name}: use ${rule}.`
  }
  return undefined
}

function mistakeInCombination(options: PurchaseWidgetOptions): string | undefined {
  const { companion, accessToken, launchUrl, container } = options
  const { mode = container ? 'iframe' : 'modal' } = options
  if ([companion, accessToken, launchUrl].filter((source) => source !== undefined).length !== 1)
    return 'companion, accessToken, launchUrl: pass one of them.'
  const ofOtherSource = companion
    ? (['widgetUrl', 'confirm'] as const)
    : (['pageToken', 'widgetOrigin', 'headers'] as const)
  const stray = ofOtherSource.find((name) => options[name] != null)
  if (stray)
    return `${stray}: ${companion ? 'leave it out, or leave out companion' : 'pass it only with companion'}.`
  if ((mode === 'iframe') !== !!container) return 'container: pass one for mode iframe, and for no other.'
  return undefined
}

function mistakeInParams(params: object | undefined): string | undefined {
  for (const [name, value] of Object.entries(params ?? {})) {
    const field = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const instead = notParams.get(name) ?? (field !== name && fields.includes(field) && `write ${field}.`)
    if (instead) return `params.${name}: ${instead}`
    if (value != null && typeof value !== 'string') return `params.${name}: use <string>.`
  }
  return undefined
}

/** For what `confirm` resolved to, if that is neither an order nor null or undefined: it reads as an order that has not ended. */
export function warnOfOrder(order: unknown): void {
  const { id, type } = Object(order)
  const fits = order == null || (typeof id === 'string' && typeof type === 'string')
  if (!fits)
    console.error('confirm: resolve to null, or to an order with an id and a type such as order_complete.')
}

/** Options as attributes, and events as DOM events, for the script tag and the custom element. */
import { type WidgetEventType, widgetEvents } from './events.ts'
import { nullProto } from './names.ts'
import type { PurchaseWidget, PurchaseWidgetOptions, SourceOptions, WidgetBehaviour } from './types.ts'

/** What every element may set: options of one purchase. A page may show HTML that someone else wrote. */
export const ofPurchase = {
  mode: 'text',
  container: 'text',
  redirectPage: 'text',
  whenBlocked: 'text',
  preload: 'text',
  loadTimeout: 'number',
  title: 'text',
  locale: 'text',
  theme: 'text',
} as const

const ofTag = {
  companion: 'text',
  pageToken: 'flag',
  widgetOrigin: 'text',
  launchUrl: 'text',
  widgetUrl: 'text',
  permissions: 'list',
  frameSandbox: 'text',
  allowedReturnOrigins: 'list',
  plainHttpHosts: 'list',
} as const

type OptionKinds = typeof ofPurchase & typeof ofTag

/** What the script tag and `<purchase-widget>` may set: addresses and the widget's permissions too. */
export const ofPage: OptionKinds = { ...ofPurchase, ...ofTag }

type Given = SourceOptions & WidgetBehaviour

/** Values that are not text; and the access token, since any script can read an attribute. */
type NoAttribute = 'accessToken' | 'headers' | 'confirm' | 'params' | 'popup' | 'strings' | 'interpretMessage'

/** How each kind of option is written in a template or in JSX. */
interface Written<Value> {
  text: Value & string
  number: number | string
  flag: boolean | ''
  list: string
}

type KebabCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${KebabCase<Rest>}`
  : ''

/** The attributes of `<purchase-widget>`, for templates that are type-checked. */
export type PurchaseWidgetAttributes = {
  [Name in Exclude<keyof Given, NoAttribute> as KebabCase<Name>]?: Written<
    NonNullable<Given[Name]>
  >[OptionKinds[Name]]
} & { [Param in `param-${string}`]?: string }

const read = {
  text: (value: string) => value,
  number: Number,
  // A present attribute means true; frameworks also write `page-token="false"`.
  flag: (value: string) => value !== 'false',
  list: (value: string) => value.split(/[\s,]+/).filter(Boolean),
} satisfies Record<keyof Written<string>, (value: string) => unknown>

/**
 * Reads `{prefix}mode`, `{prefix}redirect-page`, `{prefix}param-product_id` and so on. createPurchaseWidget checks it all.
 *
 * @param kinds The options that this element may set.
 */
export function readOptions(
  prefix: string,
  { attributes }: Element,
  kinds: Partial<OptionKinds>,
): PurchaseWidgetOptions {
  const options: Record<string, unknown> = {}
  const params: Record<string, string> = {}
  for (const { name, value } of attributes) {
    if (!name.startsWith(prefix)) continue
    const key = name.slice(prefix.length)
    const param = /^param-(.+)/.exec(key)?.[1]
    const option = key.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const kind = Object.hasOwn(kinds, option) && kinds[option as keyof OptionKinds]
    // HTML lowers the case of attributes; these two wire names have capitals.
    if (param) params[param.replace(/^(click|campaign)id$/, '$1ID')] = value
    else if (kind) options[option] = read[kind](value)
  }
  // Attributes are text in any combination; createPurchaseWidget refuses what is invalid.
  return nullProto({ ...options, params }) as unknown as PurchaseWidgetOptions
}

/** Dispatches a `purchase-widget-{type}` that bubbles, out of shadow roots too; returns true unless a listener prevented it. */
export const dispatch = (target: EventTarget, type: WidgetEventType, detail: unknown): boolean =>
  EventTarget.prototype.dispatchEvent.call(
    target,
    new CustomEvent(`purchase-widget-${type}`, {
      detail,
      bubbles: true,
      composed: true,
      // The event is cancelable if its payload is.
      cancelable: detail instanceof Event,
    }),
  )

/**
 * Forwards a widget's events to the page. It is impossible to know whether the page listens, so errors also go to the console.
 *
 * @param targetOf returns where to dispatch the next event.
 */
export function forwardEvents(widget: PurchaseWidget, targetOf: () => EventTarget): void {
  for (const type of widgetEvents)
    widget.on(type, (detail) => {
      if (!dispatch(targetOf(), type, detail) && detail instanceof Event) detail.preventDefault()
    })
  widget.on('error', ({ code, message }) => console.error(`${code}: ${message}`))
}

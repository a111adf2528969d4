/** Options as attributes, and events as DOM events, for the script tag and the custom element. */
import { type WidgetEventType, widgetEvents } from './events.ts'
import { nullProto } from './names.ts'
import type { PurchaseWidget, PurchaseWidgetOptions, TokenSource, WidgetBehaviour } from './types.ts'

type KeysOf<Union> = Union extends unknown ? keyof Union : never
type ValueOf<Union, Key> = Union extends unknown ? (Key extends keyof Union ? Union[Key] : never) : never

/** How an option is written as an attribute; never for a value that is not text, such as a function. */
type KindOf<Value> = [Value] extends [boolean]
  ? 'flag'
  : [Value] extends [number]
    ? 'number'
    : [Value] extends [readonly string[]]
      ? 'list'
      : [Value] extends [string]
        ? 'text'
        : never

type Given = TokenSource & WidgetBehaviour
type KindOfOption<Name> = KindOf<Exclude<ValueOf<Given, Name>, undefined | Element>>

/** Every option that has a kind, except the access token: any script can read an attribute. */
type OptionKinds = {
  [Name in Exclude<KeysOf<Given>, 'accessToken'> as KindOfOption<Name> extends never
    ? never
    : Name]: KindOfOption<Name>
}

type KebabCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${KebabCase<Rest>}`
  : ''

/** How each kind is written in a template or in JSX. */
interface Written {
  text: string
  number: number | string
  flag: boolean | ''
  list: string
}

/** The attributes of `<purchase-widget>`, for templates that are type-checked. */
export type PurchaseWidgetAttributes = {
  [Name in keyof OptionKinds as KebabCase<Name>]?: OptionKinds[Name] extends 'text'
    ? ValueOf<Given, Name> & string
    : Written[OptionKinds[Name]]
} & { [Param in `param-${string}`]?: string }

/** The options that can be attributes, in kebab-case: `redirect-page`. */
export const attributeKinds: OptionKinds = {
  companion: 'text',
  pageToken: 'flag',
  widgetOrigin: 'text',
  launchUrl: 'text',
  widgetUrl: 'text',
  mode: 'text',
  container: 'text',
  redirectPage: 'text',
  whenBlocked: 'text',
  preload: 'text',
  loadTimeout: 'number',
  title: 'text',
  locale: 'text',
  theme: 'text',
  permissions: 'list',
  frameSandbox: 'text',
  allowedReturnOrigins: 'list',
  plainHttpHosts: 'list',
}

const read = {
  text: (value: string) => value,
  number: Number,
  // A present attribute means true; frameworks also write `page-token="false"`.
  flag: (value: string) => value !== 'false',
  list: (value: string) => value.split(/[\s,]+/).filter(Boolean),
} satisfies Record<OptionKinds[keyof OptionKinds], (value: string) => unknown>

/** `redirect-page` → `redirectPage`, if that is an option that can be an attribute. */
function optionOf(attribute: string): keyof OptionKinds | undefined {
  const name = attribute.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return Object.hasOwn(attributeKinds, name) ? (name as keyof OptionKinds) : undefined
}

/**
 * Reads `{prefix}mode`, `{prefix}redirect-page`, `{prefix}param-product_id` and so on. createPurchaseWidget checks it all.
 *
 * @param allowed The options that this element may set. Default: all.
 */
export function readOptions(
  prefix: string,
  { attributes }: Element,
  allowed: readonly string[] = Object.keys(attributeKinds),
): PurchaseWidgetOptions {
  const options: Record<string, unknown> = {}
  const params: Record<string, string> = {}
  for (const { name, value } of attributes) {
    if (!name.startsWith(prefix)) continue
    const key = name.slice(prefix.length)
    const param = /^param-(.+)/.exec(key)?.[1]
    const option = optionOf(key)
    // HTML lowers the case of attributes; these two wire names have capitals.
    if (param) params[param.replace(/^(click|campaign)id$/, '$1ID')] = value
    else if (option && allowed.includes(option)) options[option] = read[attributeKinds[option]](value)
  }
  // Attributes are text in any combination; createPurchaseWidget refuses what is invalid.
  return nullProto({ ...options, params }) as unknown as PurchaseWidgetOptions
}

/** Dispatches a bubbling `purchase-widget-{type}`; returns true unless a listener prevented it. */
export const dispatch = (target: EventTarget, type: WidgetEventType, detail: unknown): boolean =>
  EventTarget.prototype.dispatchEvent.call(
    target,
    new CustomEvent(`purchase-widget-${type}`, {
      detail,
      bubbles: true,
      // The event is cancelable if its payload is.
      cancelable: detail instanceof Event,
    }),
  )

/** Forwards a widget's events to the page. It is impossible to know whether the page listens, so errors also go to the console. */
export function forwardEvents(widget: PurchaseWidget, target: EventTarget): void {
  for (const type of Object.keys(widgetEvents) as WidgetEventType[])
    widget.on(type, (detail) => {
      if (!dispatch(target, type, detail) && detail instanceof Event) detail.preventDefault()
    })
  widget.on('error', ({ code, message }) => console.error(`${code}: ${message}`))
}

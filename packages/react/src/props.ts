/** Takes a component's props apart: attributes of its element, callbacks (`on…`), and options for the loader. */
import type { Confirm, WidgetBehaviour } from '@purchase-widget/loader'
import type { Container, PurchaseWidgetEvents } from './options.ts'

/** Options and callbacks once their unions have done their work: any token source, in any mode. */
export interface Props extends Omit<WidgetBehaviour, 'container'>, PurchaseWidgetEvents {
  companion?: string
  widgetUrl?: string
  accessToken?: string | (() => string | Promise<string>)
  launchUrl?: string
  confirm?: Confirm
  container?: Container
}

/** Properties by name, whose types were checked where they were written. */
export type Properties = Record<string, unknown>

/** JSX lets a name with a hyphen pass, such as `aria-label`, whatever the types say: so it must do what it says. */
const attribute = /-|^(className|style|disabled)$/

export function attributesOf(props: object): Properties {
  const attributes: Properties = {}
  for (const [name, value] of Object.entries(props)) {
    if (attribute.test(name)) attributes[name] = value
  }
  return attributes
}

/** A component's props over a provider's: a token source as a whole, `params` and `strings` name by name. */
export function withDefaults(defaults: Props, own: Props): Props {
  const merged: Properties = { ...defaults }
  if (own.companion || own.widgetUrl) {
    for (const name of ['companion', 'widgetUrl', 'accessToken', 'launchUrl', 'confirm']) delete merged[name]
  }
  for (const name in own) {
    const value = own[name as keyof Props]
    if (value === undefined || attribute.test(name)) continue
    merged[name] = /^(params|strings)$/.test(name)
      ? { ...(merged[name] as object), ...(value as object) }
      : value
  }
  return merged
}

/** What a component's props are: attributes of its element, callbacks, and options for the loader. */
import {
  type Confirm,
  type PurchaseWidgetOptions,
  type TokenSource,
  type WidgetBehaviour,
  widgetEvents,
} from '@purchase-widget/loader'
import type { Container, PurchaseWidgetEvents } from './options.ts'

/** Options and callbacks once their unions have done their work: any token source, in any mode. */
export interface Props extends Omit<WidgetBehaviour, 'container'>, PurchaseWidgetEvents {
  companion?: string
  pageToken?: boolean
  widgetOrigin?: string
  headers?: NonNullable<TokenSource['headers']>
  widgetUrl?: string
  accessToken?: string | (() => string | Promise<string>)
  launchUrl?: string
  confirm?: Confirm
  container?: Container
}

/** JSX lets a name with a hyphen pass, such as `aria-label`, whatever the types say: so it must do what it says. */
const attribute = /-|^(children|className|style|disabled)$/

const callbacks: ReadonlySet<string> = new Set(Object.values(widgetEvents))

/** Copies attributes of an element, or all the rest. An undefined prop is a missing one. */
function copy(props: object, attributes: boolean, into: Record<string, unknown>): object {
  for (const [name, value] of Object.entries(props)) {
    if (value !== undefined && attribute.test(name) === attributes) into[name] = value
  }
  return into
}

export const attributesOf = (props: object): object => copy(props, true, {})

/** A component's props over a provider's, each as a whole; also the token source, which is several props together. */
export function withDefaults(defaults: Props, props: Props): Props {
  const {
    companion,
    pageToken,
    widgetOrigin,
    headers,
    widgetUrl,
    accessToken,
    launchUrl,
    confirm,
    ...sourceless
  } = defaults
  return copy(props, false, { ...(props.companion || props.widgetUrl ? sourceless : defaults) })
}

/** The loader's options, with the element of a ref in the place of the ref. The types of the props say what goes together. */
export function optionsOf({ container, ...props }: Props): PurchaseWidgetOptions {
  const options: Record<string, unknown> = {
    container: (container as { current?: Element } | undefined)?.current ?? container,
  }
  for (const [name, value] of Object.entries(props)) if (!callbacks.has(name)) options[name] = value
  return options as unknown as PurchaseWidgetOptions
}

/** What a component's props are: attributes of its element, callbacks (`on…`), and options for the loader. */
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

/** JSX lets a name with a hyphen pass, such as `aria-label`, whatever the types say: so it must do what it says. */
const attribute = /-|^(children|className|style|disabled)$/

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
  const { companion, widgetUrl, accessToken, launchUrl, confirm, ...sourceless } = defaults
  return copy(props, false, { ...(props.companion || props.widgetUrl ? sourceless : defaults) })
}

/**
 * The options by value, so that an object written inline is not a new option in each render. Functions don't count, since
 * the newest is the one that is called; only whether there is a `confirm`.
 */
export const optionsKey = ({ container, confirm, ...options }: Props): string =>
  JSON.stringify([options, !confirm], (_, value) =>
    value?.constructor === Object ? Object.fromEntries(Object.entries(value).sort()) : value,
  )

/** The element, or the selector of one, that a frame goes into. */
export const containerOf = ({ container }: Props): unknown =>
  (container as { current?: Element } | undefined)?.current ?? container

/** What is in a component's props: options for the loader, callbacks, and attributes of its element. */
import type { Confirm, PurchaseWidgetOptions, WidgetBehaviour, WidgetEventMap } from '@purchase-widget/loader'
import type { Container, PurchaseWidgetEvents } from './options.ts'

/** Options once their union has done its work: any token source, in any mode. */
export interface Options extends Omit<WidgetBehaviour, 'container'> {
  companion?: string
  widgetUrl?: string
  accessToken?: string | (() => string | Promise<string>)
  launchUrl?: string
  confirm?: Confirm
  container?: Container
}

export type Props = Options & PurchaseWidgetEvents

/** Which event calls which prop. */
export const eventOf = {
  onSuccess: 'success',
  onFailure: 'failure',
  onClose: 'close',
  onReady: 'ready',
  onError: 'error',
  onReturn: 'return',
  onStateChange: 'statechange',
} as const
export const eventProps = Object.keys(eventOf) as (keyof Handlers)[]

/** The callbacks by what the loader says about their events. */
export type Handlers = {
  [Prop in keyof PurchaseWidgetEvents]: (event: WidgetEventMap[(typeof eventOf)[Prop]]) => void
}

const pick = (props: object, wanted: (name: string, value: unknown) => boolean): object =>
  Object.fromEntries(Object.entries(props).filter(([name, value]) => wanted(name, value)))

/** Neither callbacks nor attributes. */
export const optionsOf = (props: Props): Options => pick(props, (name) => !/^on[A-Z]|-/.test(name))

/** Names with a hyphen, such as `aria-label`: JSX lets them pass whatever the types say, so they must do what they say. */
export const attributesOf = (props: object): object => pick(props, (name) => /-/.test(name))

/** Options as the loader takes them: each function calls the newest of its name, and a ref gives its element. */
export function loaderOptions(options: Options, newest: () => Options): PurchaseWidgetOptions {
  const complete: Record<string, unknown> = { ...options }
  for (const [name, value] of Object.entries(options) as [keyof Options, unknown][]) {
    if (typeof value === 'function') {
      complete[name] = (...args: unknown[]): unknown => {
        const now: unknown = newest()[name]
        return (typeof now === 'function' ? now : value)(...args)
      }
    }
  }
  const { container } = options
  if (typeof container === 'object' && 'current' in container) complete.container = container.current
  // The types of the components' props have checked the values; the loader checks them again.
  return complete as unknown as PurchaseWidgetOptions
}

/** A component's props over a provider's: a token source as a whole, `params` and `strings` name by name. */
export function withDefaults(defaults: Props, own: Props): Props {
  const { companion, widgetUrl, accessToken, launchUrl, confirm, ...sourceless } = defaults
  const base = own.companion || own.widgetUrl ? sourceless : defaults
  return {
    ...base,
    ...pick(own, (_, value) => value !== undefined),
    params: { ...base.params, ...own.params },
    strings: { ...base.strings, ...own.strings },
  }
}

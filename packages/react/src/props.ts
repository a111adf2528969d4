/** Takes a component's props apart: options for the loader, callbacks, and the rest, which belongs to its element. */
import type { Confirm, WidgetBehaviour } from '@purchase-widget/loader'
import type { Container, PurchaseWidgetEvents } from './options.ts'

/** The options once their union has done its work: any token source, in any mode. */
export interface Options extends Omit<WidgetBehaviour, 'container'> {
  companion?: string
  widgetUrl?: string
  accessToken?: string | (() => string | Promise<string>)
  launchUrl?: string
  confirm?: Confirm
  container?: Container
}

const optionNames: Record<keyof Options, true> = {
  companion: true,
  widgetUrl: true,
  accessToken: true,
  launchUrl: true,
  confirm: true,
  mode: true,
  container: true,
  redirectPage: true,
  fallback: true,
  params: true,
  preload: true,
  loadTimeout: true,
  popup: true,
  title: true,
  locale: true,
  strings: true,
  theme: true,
  allowedReturnOrigins: true,
  interpretMessage: true,
}

/** Which event calls which prop. */
export const eventProps = {
  onSuccess: 'success',
  onFailure: 'failure',
  onClose: 'close',
  onReady: 'ready',
  onError: 'error',
  onReturn: 'return',
  onStateChange: 'statechange',
} as const

export interface SplitProps<Props> {
  options: Options
  events: PurchaseWidgetEvents
  attributes: Omit<Props, keyof Options | keyof PurchaseWidgetEvents>
}

/** An undefined prop is a missing one. */
export function splitProps<Props extends object>(props: Props): SplitProps<Props> {
  const options: Record<string, unknown> = {}
  const events: Record<string, unknown> = {}
  const attributes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined) continue
    const part = name in optionNames ? options : name in eventProps ? events : attributes
    part[name] = value
  }
  // Each part has the properties of `props` that its names say, so also their types.
  return { options, events, attributes } as SplitProps<Props>
}

/** A component's options over a provider's: a token source as a whole, `params` and `strings` name by name. */
export function withDefaults(defaults: Options, own: Options): Options {
  const { companion, widgetUrl, accessToken, launchUrl, confirm, ...sourceless } = defaults
  const base = own.companion || own.widgetUrl ? sourceless : defaults
  return {
    ...base,
    ...own,
    params: { ...base.params, ...own.params },
    strings: { ...base.strings, ...own.strings },
  }
}

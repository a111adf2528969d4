/** The one table of events: `on()`, the DOM events, the element's typings and React's props are made from it. */
import type { WidgetEventMap } from './types.ts'

/** Payloads with `preventDefault()` are those of events that can be cancelled. */
type EventRule<Payload> = {
  /** Name of the callback among React's props. */
  reactProp: `on${Capitalize<string>}`
} & (Payload extends { preventDefault(): void } ? { cancelable: true } : { cancelable?: never })

/** Every event of a widget, in no order. */
export const widgetEvents = {
  statechange: { reactProp: 'onStateChange' },
  load: { reactProp: 'onLoad' },
  ready: { reactProp: 'onReady' },
  message: { reactProp: 'onMessage' },
  return: { reactProp: 'onReturn', cancelable: true },
  blocked: { reactProp: 'onBlocked' },
  error: { reactProp: 'onError' },
  success: { reactProp: 'onSuccess' },
  failure: { reactProp: 'onFailure' },
  result: { reactProp: 'onResult' },
} as const

/** For DOM events, which need no more of the table: whether a listener can cancel them. */
export const cancelable: {
  readonly [Type in WidgetEventType]: Table[Type] extends { cancelable: true } ? true : false
} = {
  statechange: false,
  load: false,
  ready: false,
  message: false,
  return: true,
  blocked: false,
  error: false,
  success: false,
  failure: false,
  result: false,
}

/** Fails to compile unless the table has every event, with what its payload allows. */
type Checked<Table extends { [Type in keyof WidgetEventMap]: EventRule<WidgetEventMap[Type]> }> = Table
type Table = Checked<typeof widgetEvents>

export type WidgetEventType = keyof Table

/** One callback for each event, under the name that it has among React's props. */
export type WidgetEventProps = {
  [Type in WidgetEventType as Table[Type]['reactProp']]?: (event: WidgetEventMap[Type]) => void
}

/** The DOM events of the script tag and of the custom element: they bubble, and `detail` is the payload. */
export type WidgetDomEvents = {
  [Type in WidgetEventType as `purchasewidget:${Type}`]: CustomEvent<WidgetEventMap[Type]>
}

declare global {
  interface GlobalEventHandlersEventMap extends WidgetDomEvents {}
}

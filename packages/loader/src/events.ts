/** The one table of events, from which `on()`, the DOM events, the element's typings and React's props are derived. */
import type { WidgetEventMap } from './types.ts'

/** Every event of a widget, in no particular order, with the name of its callback in React's props. */
export const widgetEvents = {
  statechange: 'onStateChange',
  load: 'onLoad',
  ready: 'onReady',
  message: 'onMessage',
  return: 'onReturn',
  blocked: 'onBlocked',
  error: 'onError',
  success: 'onSuccess',
  failure: 'onFailure',
  result: 'onResult',
} as const

/** Fails to compile unless the table contains every event. */
type Checked<Table extends Record<keyof WidgetEventMap, `on${Capitalize<string>}`>> = Table
type Table = Checked<typeof widgetEvents>

export type WidgetEventType = keyof Table

/** One callback for each event, under its name in React's props. */
export type WidgetEventProps = {
  [Type in WidgetEventType as Table[Type]]?: (event: WidgetEventMap[Type]) => void
}

/** The DOM events of the script tag and of the custom element: they bubble, and `detail` is the payload. */
export type WidgetDomEvents = {
  [Type in WidgetEventType as `purchase-widget-${Type}`]: CustomEvent<WidgetEventMap[Type]>
}

declare global {
  interface GlobalEventHandlersEventMap extends WidgetDomEvents {}
}

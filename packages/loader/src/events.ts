/** The one list of events, from which `on()`, the DOM events, the element's typings and React's props are derived; and what a state means. */
import type { WidgetEventMap, WidgetState } from './types.ts'

/** Every event of a widget, in no particular order. */
export const widgetEvents = [
  'statechange',
  'load',
  'ready',
  'message',
  'return',
  'blocked',
  'error',
  'success',
  'failure',
  'result',
] as const

/** Fails to compile unless the list contains every event. */
type Listed<Type extends (typeof widgetEvents)[number]> = Type

export type WidgetEventType = Listed<keyof WidgetEventMap>

/** Whether a purchase is under way: from the click to the result. */
export const isUnderWay = ({ status }: WidgetState): boolean =>
  !['idle', 'settled', 'destroyed'].includes(status)

/** The DOM events of the script tag and of the custom element: they bubble, and `detail` is the payload. */
export type WidgetDomEvents = {
  [Type in WidgetEventType as `purchase-widget-${Type}`]: CustomEvent<WidgetEventMap[Type]>
}

declare global {
  interface GlobalEventHandlersEventMap extends WidgetDomEvents {}
}

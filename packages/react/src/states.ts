/** What each state of a widget means to a component. */
import type { WidgetState } from '@purchase-widget/loader'

export const idle: { status: 'idle' } = { status: 'idle' }

/** No purchase is open. */
const atRest: readonly WidgetState['status'][] = ['idle', 'settled', 'destroyed']

/** From the click to the result. */
export const isUnderWay = ({ status }: WidgetState): boolean => !atRest.includes(status)

/** Until there is something of the widget to see. */
export const isOnItsWay = ({ status }: WidgetState): boolean =>
  status === 'idle' || status === 'opening' || status === 'loading'

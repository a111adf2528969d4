/** What each state of a widget means to a component. */
import type { WidgetState } from '@purchase-widget/loader'

type Status = WidgetState['status']

/** Nothing of the widget shows yet. */
const early: readonly Status[] = ['idle', 'opening', 'loading']
/** No purchase is open. */
const atRest: readonly Status[] = ['idle', 'settled', 'destroyed']

/** From the click to the result. */
export const isUnderWay = (status: Status): boolean => !atRest.includes(status)

/** Until there is something of the widget to see. */
export const isOnItsWay = (status: Status): boolean => early.includes(status)

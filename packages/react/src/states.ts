/** What each state of a widget means to a component. */
import type { WidgetState } from '@purchase-widget/loader'

type Status = WidgetState['status']

const stages: Readonly<Record<Status, 'before' | 'opening' | 'open' | 'after'>> = {
  idle: 'before',
  opening: 'opening',
  loading: 'opening',
  loaded: 'open',
  ready: 'open',
  detached: 'open',
  confirming: 'open',
  settled: 'after',
  destroyed: 'after',
}

/** From the click to the result. */
export const isUnderWay = (status: Status): boolean =>
  stages[status] === 'opening' || stages[status] === 'open'

/** Until there is something of the widget to see. */
export const isOnItsWay = (status: Status): boolean =>
  stages[status] === 'before' || stages[status] === 'opening'

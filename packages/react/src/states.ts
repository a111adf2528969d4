/** What each state of a widget means to a component. */
import type { WidgetState } from '@purchase-widget/loader'

type Table = Readonly<Record<WidgetState['status'], boolean>>

/** From the click to the result. */
export const isUnderWay: Table = {
  idle: false,
  opening: true,
  loading: true,
  loaded: true,
  ready: true,
  detached: true,
  confirming: true,
  settled: false,
  destroyed: false,
}

/** Until there is something of the widget to see. */
export const isOnItsWay: Table = {
  idle: true,
  opening: true,
  loading: true,
  loaded: false,
  ready: false,
  detached: false,
  confirming: false,
  settled: false,
  destroyed: false,
}

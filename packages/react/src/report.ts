/** Calls a component's callbacks. A result is reported once on the page, by a component that has a callback for it. */
import {
  getPendingResult,
  type PurchaseResult,
  type WidgetError,
  type WidgetEventType,
  type WidgetState,
} from '@purchase-widget/loader'
import { callbackName, type Props } from './options.ts'

interface Component {
  /** Those of the newest render. */
  readonly props: Props
  isMounted(): boolean
}

/** Successes and failures that a component has reported: another may have resumed or continued the same purchase. */
const reported = new WeakSet<PurchaseResult>()
/** Whether a component has reported that the outcome of the payment under way is unknown: the loader's object for that is always the same. */
let isUnknownReported = false
/** A result that no component has reported: each had unmounted, or had no callback for it. The next one that has reports it. */
let unreported: PurchaseResult | undefined
/** Whether the state of a component has shown it, which is enough for one without callbacks. */
let isUnreportedShown = false

type End = Extract<PurchaseResult, { status: 'success' | 'failure' }>

const isEnd = ({ status }: PurchaseResult): boolean => status === 'success' || status === 'failure'

/** The callback for such results alone. */
const callbackFor = (props: Props, result: PurchaseResult) =>
  isEnd(result) ? props[callbackName((result as End).status)] : undefined

/** Calls the callback for an event. An error without a callback goes to the console. */
export function notify(component: Component, type: WidgetEventType, event: unknown): void {
  if (type === 'result') report(component, event as PurchaseResult)
  // A success or failure is also the result, which follows.
  if (type === 'result' || type === 'success' || type === 'failure') return
  const callback = component.props[callbackName(type)]
  // TypeScript does not follow the name through a loop.
  if (callback) callback(event as never)
  else if (type === 'error') logError(event as WidgetError)
}

const logError = (error: WidgetError): void => console.error(`${error.code}: ${error.message}`)

/** Reports a result, unless another component has. Returns false if it is not reported, since this one has no callback for it. */
function report(component: Component, result: PurchaseResult): boolean {
  if (reported.has(result)) return true
  const callback = callbackFor(component.props, result)
  if (!callback && !component.props.onResult) return false
  // Any other result may be one of the loader's constants.
  if (isEnd(result)) reported.add(result)
  try {
    callback?.(result as never)
  } finally {
    component.props.onResult?.(result)
  }
  return true
}

/**
 * Reports the purchase during which the page was reloaded.
 *
 * @param enter Shows a state; returns false if the component does not show this purchase.
 */
export async function resume(component: Component, enter: (state: WidgetState) => boolean): Promise<void> {
  const { companion, mode = 'modal', ...options } = component.props
  if (!companion) return
  let isShown = false
  const onPending = (): void => {
    isUnknownReported = false
    isShown = enter({ status: 'confirming', mode })
  }
  const result = (await getPendingResult({ ...options, companion, onPending })) ?? keptFor(component)
  // An unreachable server is not reported.
  if (!result || !(isShown || isEnd(result))) return void (isShown && enter({ status: 'idle' }))
  isShown = enter({ status: 'settled', result })
  if (isEnd(result)) {
    if (component.isMounted() && report(component, result)) return
    unreported = result
    isUnreportedShown = isShown
  } else if (isShown && !isUnknownReported) isUnknownReported = report(component, result)
}

/** The result that is left for a component to report, or to show. */
function keptFor({ props }: Component): PurchaseResult | undefined {
  if (!unreported || reported.has(unreported)) return undefined
  const hears = props.onResult || callbackFor(props, unreported)
  return hears || !isUnreportedShown ? unreported : undefined
}

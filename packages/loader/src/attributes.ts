/** Options and events as attributes and DOM events, for the script tag and the custom element. */
import { own } from './own.ts'
import type { PurchaseResult, PurchaseWidget, PurchaseWidgetOptions, WidgetEventMap } from './types.ts'

/** The options that are text. An access token is not among them: an attribute is open to every script. */
const names =
  'companion launch-url widget-url mode container redirect-page fallback preload load-timeout title locale theme'

/**
 * Reads `{prefix}mode`, `{prefix}redirect-page`, `{prefix}param-product_id` and so on; later elements win. createPurchaseWidget checks
 * it all.
 */
export function readOptions(prefix: string, ...elements: readonly Element[]): PurchaseWidgetOptions {
  const options: Record<string, unknown> = {}
  const params: Record<string, string> = {}
  for (const { name, value } of elements.flatMap((element) => [...element.attributes])) {
    if (!name.startsWith(prefix)) continue
    const key = name.slice(prefix.length)
    const param = /^param-(.+)/.exec(key)?.[1]
    // HTML lowers the case of attributes; these two wire names have capitals.
    if (param) params[param.replace(/^(click|campaign)id$/, '$1ID')] = value
    else if (names.split(' ').includes(key))
      options[key.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] =
        key === 'load-timeout' ? Number(value) : value
  }
  return own({ ...options, params }) as unknown as PurchaseWidgetOptions
}

const types: readonly (keyof WidgetEventMap)[] = [
  'statechange',
  'load',
  'ready',
  'message',
  'return',
  'success',
  'failure',
  'close',
  'blocked',
  'error',
]

/** Dispatches a bubbling `purchasewidget:{type}`; true unless a listener prevented it. */
const dispatch = (target: Element, type: string, detail: unknown): boolean =>
  target.dispatchEvent(
    new CustomEvent(`purchasewidget:${type}`, { detail, bubbles: true, cancelable: type === 'return' }),
  )

/** Passes a widget's events on to the page. */
export function forwardEvents(widget: PurchaseWidget, target: Element): void {
  for (const type of types)
    widget.on(type, (detail) => {
      if (!dispatch(target, type, detail)) (detail as WidgetEventMap['return']).preventDefault()
    })
}

export const tellResult = (target: Element, result: PurchaseResult): boolean =>
  dispatch(target, 'result', result)

/** Messages to the page around this one, which a switch turns on. */
import type { Checkout } from './protocol.ts'

/**
 * Tells the page around this one, or the one that opened it, how far the visit is. A sandbox switch: the interface names no
 * messages (U11). This page cannot know who embeds it, so any page may hear; an order's id opens nothing by itself.
 */
export function announce(checkout: Checkout, type: 'ready' | 'finished' | 'close'): void {
  if (!checkout.postsMessages) return
  const orderId = type === 'ready' ? undefined : checkout.order?.id
  const message = { source: 'purchase-widget', type, ...(orderId ? { order_id: orderId } : {}) }
  for (const page of listeners()) page.postMessage(message, '*')
}

/** Whether this page stands in somebody's frame or window, and so can be closed. */
export const canClose = (checkout: Checkout): boolean =>
  window.opener !== null || (checkout.postsMessages && window.parent !== window)

export function closeWidget(checkout: Checkout): void {
  announce(checkout, 'close')
  window.close()
}

function listeners(): Window[] {
  const opener: Window | null = window.opener
  return [...(window.parent === window ? [] : [window.parent]), ...(opener ? [opener] : [])]
}

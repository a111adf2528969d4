/** Messages to the page around this one, which a switch turns on. */
import type { Checkout } from './protocol.ts'

/**
 * Tells the page around this one, or the one that opened it, how far the visit is. A sandbox switch: the interface names no
 * messages (U11). This page cannot know who embeds it, so any page may hear; an order's id opens nothing by itself.
 */
export function announce(checkout: Checkout, type: 'ready' | 'finished' | 'close'): void {
  if (!checkout.postsMessages) return
  const orderId = type === 'ready' ? undefined : checkout.order?.id
  post({ source: 'purchase-widget', type, ...(orderId ? { order_id: orderId } : {}) })
}

/** Tells them how tall this page is, so that a frame can follow it. Invented, as all messages of this page. */
export function announceHeight({ postsMessages }: Checkout, height: number): void {
  if (postsMessages) post({ source: 'purchase-widget', type: 'height', height })
}

/** Whether this page stands in somebody's frame or window, and so can be closed. */
export const canClose = (checkout: Checkout): boolean =>
  window.opener !== null || (checkout.postsMessages && window.parent !== window)

export function closeWidget(checkout: Checkout): void {
  announce(checkout, 'close')
  window.close()
}

function post(message: object): void {
  for (const page of listeners()) page.postMessage(message, '*')
}

function listeners(): Window[] {
  const opener: Window | null = window.opener
  return [...(window.parent === window ? [] : [window.parent]), ...(opener ? [opener] : [])]
}

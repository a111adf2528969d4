/** Messages to the embedding page, which a switch enables. */
import type { Checkout } from './protocol.ts'

/**
 * Reports the progress of the visit to the parent or opener page. A sandbox switch: the interface names no messages (U11).
 * This page cannot know its embedder, so any page may receive them; an order's id alone gives access to nothing.
 */
export function announce(checkout: Checkout, type: 'ready' | 'finished' | 'close'): void {
  if (!checkout.postsMessages) return
  const orderId = type === 'ready' ? undefined : checkout.order?.id
  post({ source: 'purchase-widget', type, ...(orderId ? { order_id: orderId } : {}) })
}

/** Reports this page's height, so that the frame can be resized. Invented, like all messages of this page. */
export function announceHeight({ postsMessages }: Checkout, height: number): void {
  if (postsMessages) post({ source: 'purchase-widget', type: 'height', height })
}

/** Whether this page is in another page's frame or popup, and so can be closed. */
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

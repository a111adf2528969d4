/**
 * The protocol between a return page and the page that opened the widget.
 *
 * Requirements: the host accepts only the return page of this very purchase, whatever other return pages the shopper or another site opens; no
 * message makes a purchase verified; only the widget's own window ends anything by itself; and it works in a frame, in a popup, even one that
 * COOP hides, and in a tab that the loader or the widget opened, even without cookies, storage or an opener.
 *
 * 1. Each purchase has an unguessable id, which the return page finds in its address.
 * 2. The return page sends `{ source: 'purchase-widget', type: 'returned', purchaseId, outcome, returnUrl }`: by `postMessage` to its parent or
 *    opener, with the exact origin, and over the BroadcastChannel `purchase-widget:<purchaseId>`.
 * 3. The host accepts it only with this purchase's id and from a return origin: the companion's, or without a companion the page's own and
 *    `allowedReturnOrigins`.
 * 4. From the widget's own window it ends the surface. From anywhere else it only makes the host ask the server.
 * 5. The companion's page for a refused purchase sends `refused` in the same form: the host asks the server. The page for a refused ticket sends
 *    `retry` too, to its parent or opener alone: the host starts again there.
 * 6. The host answers `{ source: 'purchase-widget', type: 'heard', purchaseId, close }` in the same way. `close`: the return page may close
 *    itself; otherwise it continues. Without an answer it continues by itself.
 */
import type { Settings } from '../settings.ts'
import { KEY } from './kept.ts'

/** The message of a return page. */
export interface ReturnedMessage {
  source: typeof KEY
  type: 'returned'
  purchaseId: string
  /** What the address says; only a hint. */
  outcome: 'success' | 'failure' | 'unknown'
  /** The merchant's return address; null when there is none. */
  returnUrl: string | null
}

/** The host's answer to it. */
interface HeardMessage {
  source: typeof KEY
  type: 'heard'
  purchaseId: string
  close: boolean
}

/** Answers a return page. */
export type Reply = (close: boolean) => void

export interface Listeners {
  /** The window that shows the widget. */
  view(): Window | null | undefined
  origin: string
  onMessage(event: MessageEvent): void
  onReturned(message: ReturnedMessage, fromWidget: boolean, reply: Reply): void
  /** The companion's page for a refused ticket is in the widget's place, and the shopper wants to try again there. */
  onRetry(): void
  /** The companion's page for a refused purchase is in the widget's place, or in a hidden window. */
  onRefused(): void
}

/** A message of the companion's page for a refused purchase or ticket. */
interface RefusalMessage {
  source: typeof KEY
  type: 'refused' | 'retry'
  purchaseId: string
}

const outcomes: readonly unknown[] = ['success', 'failure', 'unknown'] satisfies ReturnedMessage['outcome'][]

/** Listens to the widget and the return pages of one purchase, until `signal` aborts. */
export function listen(
  { returnOrigins }: Pick<Settings, 'returnOrigins'>,
  purchaseId: string,
  { view, origin: widgetOrigin, onMessage, onReturned, onRetry, onRefused }: Listeners,
  signal: AbortSignal,
): void {
  /** @param post Sends the answer where the message came from. */
  function receive(data: unknown, fromWidget: boolean, post: (answer: HeardMessage) => void): void {
    // Every field is checked before it is used.
    const message = data as ReturnedMessage | RefusalMessage | null
    if (message?.source !== KEY || message.purchaseId !== purchaseId) return
    if (message.type === 'refused') onRefused()
    else if (message.type === 'retry') {
      if (fromWidget) onRetry()
    } else if (message.type === 'returned' && isComplete(message))
      onReturned(message, fromWidget, (close) => post({ source: KEY, type: 'heard', purchaseId, close }))
  }

  // Messages of other origins are dropped before their data is read, which the browser may not have deserialized yet, and before the frame's
  // window is read, which costs milliseconds (M10 of docs/measurements.md).
  const receiveEvent = (event: MessageEvent): void => {
    const { source, origin } = event
    const fromReturn = returnOrigins.includes(origin)
    if (!source || !(fromReturn || origin === widgetOrigin)) return
    const fromWidget = source === view()
    if (fromReturn)
      receive(event.data, fromWidget, (answer) => (source as Window).postMessage(answer, origin))
    if (fromWidget && origin === widgetOrigin) onMessage(event)
  }
  addEventListener('message', receiveEvent, { signal })

  try {
    const channel = new BroadcastChannel(`${KEY}:${purchaseId}`)
    channel.onmessage = ({ data }) => receive(data, false, (answer) => channel.postMessage(answer))
    signal.addEventListener('abort', () => channel.close())
  } catch {
    // If it is missing or forbidden, `postMessage` and the server remain.
  }
}

const isComplete = ({ outcome, returnUrl }: ReturnedMessage): boolean =>
  outcomes.includes(outcome) && (returnUrl === null || typeof returnUrl === 'string')

/**
 * How a return page and the page that opened the widget speak.
 *
 * What must hold: only the return page of this very purchase is heard, whoever else the shopper or another site sends to a return page; what
 * it says never makes a purchase true; only the widget's own window ends anything by itself; and it works in a frame, in a popup, also in
 * one that COOP put out of sight, and in a tab that the loader or the widget opened, in tabs without cookies, storage or an opener.
 *
 * 1. Each purchase has an unguessable id, and the return page has it in its address.
 * 2. The return page says `{ source: 'purchase-widget', type: 'returned', purchaseId, outcome, returnUrl }`: by `postMessage` to its parent or
 *    opener, with the exact origin, and over the BroadcastChannel `purchase-widget:<purchaseId>`.
 * 3. The host takes it only with this purchase's id and from a return origin: the companion's, or else the page's own and
 *    `allowedReturnOrigins`.
 * 4. From the widget's own window it ends the surface. From anywhere else it only makes the host ask the server.
 * 5. The companion's page of a refusal says `refused` in the same form: the host asks the server. That of a ticket says `retry` too, to its
 *    parent or opener alone: the host begins anew there.
 * 6. The host answers `{ source: 'purchase-widget', type: 'heard', purchaseId, close }` the same way back. `close`: the return page may close
 *    itself; otherwise it goes on. Without an answer it goes on by itself.
 */
import type { Settings } from '../settings.ts'
import { KEY } from './kept.ts'

/** What a return page says. */
export interface ReturnedMessage {
  source: typeof KEY
  type: 'returned'
  purchaseId: string
  /** What the address says: a hint. */
  outcome: 'success' | 'failure' | 'unknown'
  /** The merchant's return address; null when there is none. */
  returnUrl: string | null
}

/** The host's answer to it. */
export interface HeardMessage {
  source: typeof KEY
  type: 'heard'
  purchaseId: string
  close: boolean
}

/** Answers a return page. */
export type Reply = (close: boolean) => void

export interface Listeners {
  /** The window that shows the widget, and the widget's origin. */
  view(): Window | null | undefined
  origin: string
  onMessage(event: MessageEvent): void
  onReturned(message: ReturnedMessage, fromWidget: boolean, reply: Reply): void
  /** In the widget's place is the companion's page of a refused ticket, where the shopper wants to try again. */
  onRetry(): void
  /** In the widget's place, or in a window out of sight, is the companion's page of a refusal. */
  onRefused(): void
}

const outcomes: readonly unknown[] = ['success', 'failure', 'unknown'] satisfies ReturnedMessage['outcome'][]

/** What a return page says about this purchase; undefined for anything else. */
function parseReturned(data: unknown, purchaseId: string): ReturnedMessage | undefined {
  const said = data as ReturnedMessage | null
  return said?.source === KEY &&
    said.type === 'returned' &&
    said.purchaseId === purchaseId &&
    outcomes.includes(said.outcome) &&
    (said.returnUrl === null || typeof said.returnUrl === 'string')
    ? said
    : undefined
}

/** Whether a page of a refusal says that this purchase was refused, or asks to begin it anew. */
function says(type: 'refused' | 'retry', data: unknown, purchaseId: string): boolean {
  const said = data as { source?: unknown; type?: unknown; purchaseId?: unknown } | null
  return said?.source === KEY && said.type === type && said.purchaseId === purchaseId
}

/** Hears the widget and the return pages of one purchase, until `signal` aborts. */
export function listen(
  { returnOrigins }: Pick<Settings, 'returnOrigins'>,
  purchaseId: string,
  { view, origin: widgetOrigin, onMessage, onReturned, onRetry, onRefused }: Listeners,
  signal: AbortSignal,
): void {
  const heard = (close: boolean): HeardMessage => ({ source: KEY, type: 'heard', purchaseId, close })

  // What strangers say is refused before its data is touched, which the browser may not have unpacked yet, and before the frame's window is,
  // which costs milliseconds (M10 of docs/measurements.md).
  const receive = (event: MessageEvent): void => {
    const { source, origin } = event
    const fromReturn = returnOrigins.includes(origin)
    if (!source || !(fromReturn || origin === widgetOrigin)) return
    const fromWidget = source === view()
    if (fromReturn) {
      const message = parseReturned(event.data, purchaseId)
      const reply: Reply = (close) => (source as Window).postMessage(heard(close), origin)
      if (message) onReturned(message, fromWidget, reply)
      else if (fromWidget && says('retry', event.data, purchaseId)) onRetry()
      else if (fromWidget && says('refused', event.data, purchaseId)) onRefused()
    }
    if (fromWidget && origin === widgetOrigin) onMessage(event)
  }
  addEventListener('message', receive, { signal })

  try {
    const channel = new BroadcastChannel(`${KEY}:${purchaseId}`)
    channel.onmessage = ({ data }) => {
      const message = parseReturned(data, purchaseId)
      if (message) onReturned(message, false, (close) => channel.postMessage(heard(close)))
      else if (says('refused', data, purchaseId)) onRefused()
    }
    signal.addEventListener('abort', () => channel.close())
  } catch {
    // Where it is missing or forbidden, the other way and the server are left.
  }
}

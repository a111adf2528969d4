/**
 * How a return page tells the page that opened the widget.
 *
 * What must hold: only the merchant's own pages are heard; two widgets, in one tab or in two, don't take each other's return;
 * and it works in a frame, in a popup, also in one that COOP put out of sight, in a tab without an opener (the loader cuts that
 * of `redirect` with `redirectPage: 'new'`), and in a tab that the widget opened.
 *
 * 1. Each purchase has a random id. Before the widget loads, the host writes `{ id, companion, ids }` to the `sessionStorage`
 *    of the tab in which the return page will run: its own, or that of the popup while it still shows the host's waiting page.
 *    Session storage belongs to a tab and an origin, so it is there again when the tab comes back from the widget's origin, also
 *    through COOP, and no other tab sees it. A tab that the widget opens gets a copy of it from the browser, or else,
 *    with `redirectPage: 'new'`, finds it, without the id, in `localStorage`.
 * 2. The return page sends `{ source: 'purchase-widget', type: 'return', id?, url }`. In a frame: to its parent, by
 *    `postMessage` with the exact origin. Otherwise: over a BroadcastChannel, by a storage event for browsers without one,
 *    and to its opener.
 * 3. The host takes a message when it comes from the widget's own window (`event.source`), or carries the purchase's id. A
 *    message without an id is taken only where nothing better can be known: with `redirectPage: 'new'`, or when the
 *    popup can't be observed. Its origin must be the host's, or one of `allowedReturnOrigins`.
 * 4. With `redirectPage: 'self'` the host goes on to the return page itself and closes the window; one that COOP has cut off is told
 *    `{ source: 'purchase-widget', type: 'close', id }`, and closes itself.
 * 5. Without any message, the host still sees a return whenever the address in the widget's window becomes readable, which only
 *    happens on the host's own origin.
 *
 * What arrives is a hint. Only the merchant's server makes a result `verified`.
 */
import { KEY } from './confirm.ts'

/** What a return page says. */
export interface ReturnMessage {
  source: typeof KEY
  type: 'return'
  id?: string | undefined
  url: string
}

/** Whether `data`, from anywhere, is what a return page says. */
export const isReturn = (data: unknown): data is ReturnMessage =>
  (data as ReturnMessage | null)?.source === KEY &&
  (data as ReturnMessage).type === 'return' &&
  typeof (data as ReturnMessage).url === 'string'

/** What a host says to a return page in a window that it wants closed, but cannot close itself. */
export interface CloseMessage {
  source: typeof KEY
  type: 'close'
  id?: string | undefined
}

/** Hears what return pages say to all tabs, until `signal` aborts. Gives back how to answer. */
export function hearReturns(
  hear: (message: ReturnMessage) => void,
  signal: AbortSignal,
): (message: CloseMessage) => void {
  const receive = (data: unknown): void => {
    if (isReturn(data)) hear(data)
  }
  addEventListener(
    'storage',
    ({ key, newValue }) => {
      if (key === `${KEY}:return`) receive(parsed(newValue))
    },
    { signal },
  )
  try {
    const channel = new BroadcastChannel(KEY)
    channel.onmessage = ({ data }) => receive(data)
    signal.addEventListener('abort', () => channel.close())
    return (message) => channel.postMessage(message)
  } catch {
    // The other ways are left; a window that COOP has cut off stays open.
    return () => {}
  }
}

function parsed(json: string | null): unknown {
  try {
    return JSON.parse(`${json}`)
  } catch {
    return null
  }
}

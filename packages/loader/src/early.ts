/** A click that comes before the second stage: the shopper reaches the widget also where that is late, or missing. */
import { delay } from './delay.ts'
import type { Store } from './emitter.ts'
import { asError, widgetError } from './errors.ts'
import { sayMissing } from './missing.ts'
import { type Click, modeOf, takeClick } from './opening/click.ts'
import { linkOf } from './opening/link.ts'
import type { Target } from './opening.ts'
import { keep, kept } from './outcome/kept.ts'
import type { Session } from './session.ts'
import type { Rest, Stage } from './stage.ts'
import { openLink } from './surfaces/address.ts'
import type { PurchaseResult, PurchaseWidgetOptions } from './types.ts'

/** For how long a frame or dialog waits, in milliseconds; then this tab goes to the link. */
const PATIENCE = 3_000

const missing = 'The second file of the loader could not be loaded.'

/**
 * Opens a window in the click, and goes on once the second stage is there. A redirect needs no second stage.
 *
 * @param signal Aborted with the result when the shopper or the page gives up.
 */
export async function openEarly(
  options: PurchaseWidgetOptions,
  stage: Stage,
  store: Store,
  begin: (rest: Rest) => Session,
  signal: AbortSignal,
): Promise<PurchaseResult> {
  try {
    return await openOrWait(options, stage, store, begin, signal)
  } catch (cause) {
    return store.fail(asError(cause))
  }
}

async function openOrWait(
  options: PurchaseWidgetOptions,
  stage: Stage,
  { enter, settle, getSnapshot }: Store,
  begin: (rest: Rest) => Session,
  signal: AbortSignal,
): Promise<PurchaseResult> {
  const mode = modeOf(options)
  const click = takeClick(options, mode)
  enter({ status: 'opening', mode })
  // Whoever leaves for the widget needs no name of its origin.
  const anywhere = { widgetOrigin: globalThis.origin, ...options }
  const link = kept() ? undefined : (click?.target ?? linkOf(anywhere, click ? mode : 'redirect'))
  const next = link && mode === 'redirect' && !click ? leave(link) : await waitFor(stage, link, click, signal)
  if (!next) {
    sayMissing(options.strings)
    throw widgetError('open_failed', missing)
  }
  if ('createSession' in next) return begin(next).open({ click })
  if (getSnapshot().status !== 'destroyed') settle(next)
  return next
}

/** Gives the second stage, or the result of an opening that ends without it; nothing where there is neither. */
async function waitFor(
  stage: Stage,
  link: Target | undefined,
  click: Click | undefined,
  signal: AbortSignal,
): Promise<Rest | PurchaseResult | undefined> {
  const stopped = new Promise<PurchaseResult>((resolve) =>
    signal.addEventListener('abort', () => resolve(signal.reason)),
  )
  const loaded = stage.load().catch(() => undefined)
  const late = delay(PATIENCE, signal).then(() => undefined)
  // A window that is on its way to the widget has time.
  const came = await Promise.race([loaded, stopped, ...(link && !click?.target ? [late] : [])])
  const next: typeof came = signal.aborted ? signal.reason : came
  if (next && 'createSession' in next) return next
  if (!next && link && navigator.onLine) return leave(link, click)
  click?.view?.close()
  return next
}

/** Leads the click's window to the widget, else this tab; a later page asks what became of the purchase. */
function leave({ purchaseId, url }: Target, click?: Click): PurchaseResult {
  keep(purchaseId)
  if (!click?.view) openLink(url)
  else if (!click.target) click.view.location.href = url
  return click?.view ? { status: 'unknown', reason: missing } : { status: 'redirected' }
}

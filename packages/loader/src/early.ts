/** A click that comes before the second stage has loaded: the shopper reaches the widget even if that stage is late or missing. */
import { defer, delay } from './delay.ts'
import type { Store } from './emitter.ts'
import { asError, widgetError } from './errors.ts'
import { showConnecting, showNotStarted } from './notice.ts'
import { type Click, modeOf, openClickWindow } from './opening/click.ts'
import { linkOf } from './opening/link.ts'
import type { Target } from './opening.ts'
import { storedPurchaseId, storePurchaseId } from './outcome/kept.ts'
import { missing, type Rest, type Stage } from './stage.ts'
import { openLink } from './surfaces/address.ts'
import type { Mode, PurchaseResult, PurchaseWidgetOptions } from './types.ts'

/** How long a frame or dialog waits; then this tab navigates to the link. */
const STAGE_TIMEOUT_MS = 3_000

export interface EarlyOpening {
  readonly result: Promise<PurchaseResult>
  /** In the click. Its events may already call the other functions. */
  start(): Promise<PurchaseResult>
  /** In another click: brings the window to the front, or reopens it if the shopper has closed it. */
  showAgain(): void
  /** The window has gone on to the widget without the second stage, and is open. */
  isElsewhere(): boolean
  /** The shopper or the page gives up before the second stage has loaded. */
  giveUp(result: PurchaseResult): void
}

/**
 * Opens a window in the click, and continues once the second stage has loaded. A redirect needs no second stage.
 *
 * @param finish Opens the widget with the second stage.
 */
export function openEarly(
  options: PurchaseWidgetOptions,
  stage: Stage,
  store: Store,
  finish: (rest: Rest, click: Click | undefined) => Promise<PurchaseResult>,
): EarlyOpening {
  const mode = modeOf(options)
  let click: Click | undefined
  let abandoned: PurchaseResult | undefined
  let hasLeft = false
  const { promise: result, resolve: settle } = defer<PurchaseResult>()
  const { promise: givenUp, resolve: stopWaiting } = defer<void>()

  function giveUp(reason: PurchaseResult): void {
    abandoned ??= reason
    stopWaiting()
  }

  async function open(): Promise<PurchaseResult> {
    click = openClickWindow(options, mode)
    store.enter({ status: 'opening', mode })
    const isSafe = !storedPurchaseId()
    const leaves = isSafe ? whereToLeave(options, mode, click) : undefined
    const needsStage = !leaves || click || mode !== 'redirect'
    const next = needsStage ? await waitForStage(leaves) : undefined
    if (next && 'createSession' in next) return finish(next, click)
    // A window that already shows the widget goes on, whatever the network.
    const isThere = leaves && click?.view && click.target
    const isLeaving = next || !(isThere || navigator.onLine) ? undefined : leaves
    hasLeft = !!isLeaving
    const ended = isLeaving ? leave(isLeaving, click) : next
    if (!isLeaving) {
      // The shopper may have paid there: it is looked up before the next purchase.
      if (isThere) storePurchaseId(isThere.purchaseId)
      click?.view?.close()
    }
    if (!ended) {
      showNotStarted(options.strings, isSafe)
      throw widgetError('open_failed', missing)
    }
    if (store.getSnapshot().status !== 'destroyed') store.settle(ended)
    return ended
  }

  /** Returns the second stage, or the result if the opening was abandoned; undefined if loading fails, or is late and the tab can leave. */
  async function waitForStage(leaves: Target | undefined): Promise<Rest | PurchaseResult | undefined> {
    const waiting = new AbortController()
    // A shopper who leaves the page and comes back has not clicked again.
    if (!click) addEventListener('pagehide', () => giveUp({ status: 'closed' }), { signal: waiting.signal })
    // A window that is already loading the widget can wait.
    const isUnseen = !click?.target
    let undo = (): void => {}
    const late = delay(STAGE_TIMEOUT_MS, waiting.signal).then(() => {
      if (isUnseen && !leaves) undo = showConnecting(options.strings, click?.view)
    })
    const loaded = stage.load().catch(() => undefined)
    const rest = await Promise.race([loaded, givenUp, ...(isUnseen && leaves ? [late] : [])])
    waiting.abort()
    undo()
    return abandoned ?? (rest || undefined)
  }

  return {
    result,
    start() {
      settle(open().catch((cause) => store.fail(asError(cause))))
      return result
    },
    showAgain() {
      if (click?.view?.closed) click = openClickWindow(options, mode, click)
      else click?.view?.focus()
    },
    isElsewhere: () => hasLeft && click?.view?.closed === false,
    giveUp,
  }
}

/** The link to which the click's window, or this tab, can navigate without the second stage. */
function whereToLeave(
  options: PurchaseWidgetOptions,
  mode: Mode,
  click: Click | undefined,
): Target | undefined {
  // A frame that the page opens without a click never navigates the page away.
  const isAsked = click || mode === 'redirect' || navigator.userActivation?.isActive !== false
  if (!isAsked || !navigator.onLine) return undefined
  // A navigation away from this page needs no `widgetOrigin`.
  const anywhere = { ...options, widgetOrigin: options.widgetOrigin ?? globalThis.origin }
  return click?.target ?? linkOf(anywhere, click ? mode : 'redirect')
}

/** Navigates the click's window to the widget, otherwise this tab; a later page asks for the result of the purchase. */
function leave({ purchaseId, url }: Target, click?: Click): PurchaseResult {
  storePurchaseId(purchaseId)
  if (!click?.view) openLink(url)
  else if (!click.target) click.view.location.href = url
  return click?.view ? { status: 'unknown', reason: missing } : { status: 'redirected' }
}

/** A click that comes before the second stage has loaded: the shopper reaches the widget even if that stage is late or missing. */
import { defer } from './delay.ts'
import type { Store } from './emitter.ts'
import { asError, widgetError } from './errors.ts'
import { showConnecting, showNotStarted } from './notice.ts'
import { type Click, isAway, modeOf, openClickWindow } from './opening/click.ts'
import { linkOf } from './opening/link.ts'
import type { Target } from './opening.ts'
import { storedPurchaseId, storePurchaseId } from './outcome/kept.ts'
import { missing, type Rest, type Stage } from './stage.ts'
import { isLeaving, openLink, startLeaving } from './surfaces/address.ts'
import type { Mode, PurchaseResult, PurchaseWidgetOptions } from './types.ts'

/** How long a frame or dialog waits; then this tab navigates to the link. */
const STAGE_TIMEOUT_MS = 3_000

export interface EarlyOpening {
  readonly result: Promise<PurchaseResult>
  /**
   * In the click; its events may already call the other functions. In another click it brings the window to the front, reopens it if the shopper
   * has closed it, or leads this tab to the link again.
   */
  show(): void
  /**
   * The widget is open elsewhere, in the window that has gone on without the second stage; or this tab is about to leave for it.
   *
   * @param hasChanged The options have: a click no longer leads this tab to the old link again. A window stays.
   */
  isElsewhere(hasChanged: boolean): boolean | undefined
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
  let begun = false
  let click: Click | undefined
  let abandoned: PurchaseResult | undefined
  /** Where the click's window, or this tab, has gone without the second stage. */
  let left: Target | undefined
  const { promise: result, resolve: settle } = defer<PurchaseResult>()
  const { promise: stopped, resolve: stopWaiting } = defer<void>()

  function giveUp(reason: PurchaseResult): void {
    abandoned ??= reason
    stopWaiting()
  }

  /** A shopper who leaves the page and comes back has not clicked again. */
  const leavePage = (): void => {
    left = undefined
    giveUp({ status: 'closed' })
  }

  async function open(): Promise<PurchaseResult> {
    begun = true
    click = openClickWindow(options, mode)
    if (!click?.view) addEventListener('pagehide', leavePage, { once: true })
    store.enter({ status: 'opening', mode })
    const doubtful = storedPurchaseId()
    const link = doubtful ? undefined : linkFor(options, mode, click)
    // The shopper may reload this page before the second stage has loaded.
    if (click?.target && navigator.onLine) storePurchaseId(click.target.purchaseId)
    let hideNotice = (): void => {}
    const late = setTimeout(() => {
      // A window that is already loading the widget can wait.
      if (click?.target) return
      if (link) stopWaiting()
      else hideNotice = showConnecting(options.strings, click?.view)
    }, STAGE_TIMEOUT_MS)
    const leavesAtOnce = link && !click && mode === 'redirect'
    const rest = leavesAtOnce ? undefined : await Promise.race([stage.load(), stopped])
    clearTimeout(late)
    hideNotice()
    // The shopper has changed their mind: a blank window does not seem closed.
    if (!rest && !click?.target && click?.view?.closed) giveUp({ status: 'closed' })
    // A window that already shows the widget goes on, whatever the network.
    if (!rest && !abandoned && (click?.target || navigator.onLine)) left = link
    if (!left) removeEventListener('pagehide', leavePage)
    if (rest && !abandoned) return finish(rest, click)
    if (!left) click?.view?.close()
    const ended = left ? leave(left, mode, click) : abandoned
    if (!ended) {
      showNotStarted(options.strings, doubtful, () => !stage.now())
      throw widgetError('open_failed', missing)
    }
    if (store.getSnapshot().status !== 'destroyed') store.settle(ended)
    return ended
  }

  return {
    result,
    show() {
      if (!begun) settle(open().catch((cause) => store.fail(asError(cause))))
      else if (click?.view?.closed) click = openClickWindow(options, mode, click)
      else if (click?.view) click.view.focus()
      else if (left && !isLeaving()) leaveTo(left)
    },
    isElsewhere: (hasChanged) => left && (click?.view ? isAway(click.view) : !hasChanged),
    giveUp,
  }
}

/** The link to which the click's window, or this tab, can navigate without the second stage. */
function linkFor(options: PurchaseWidgetOptions, mode: Mode, click: Click | undefined): Target | undefined {
  const view = click?.view
  const mayLeave = click
    ? view || options.whenBlocked !== 'none'
    : // A frame that the page opens without a click never navigates the page away.
      mode === 'redirect' || navigator.userActivation?.isActive !== false
  if (!mayLeave || !navigator.onLine) return undefined
  // A navigation away from this page needs no `widgetOrigin`.
  const anywhere = { ...options, widgetOrigin: options.widgetOrigin ?? globalThis.origin }
  return click?.target ?? linkOf(anywhere, view ? mode : 'redirect')
}

/** Navigates the click's window to the widget, otherwise this tab; a later page asks for the result of the purchase. */
function leave(target: Target, mode: Mode, click: Click | undefined): PurchaseResult {
  const view = click?.view
  // The result of a window is this page's to report.
  storePurchaseId(target.purchaseId, !!view)
  if (!view) leaveTo(target)
  else if (!click.target) {
    // As for every tab of its own (opening/click.ts).
    if (mode === 'redirect') view.opener = null
    view.location.href = target.url
  }
  return view ? { status: 'unknown', reason: missing } : { status: 'redirected' }
}

function leaveTo({ url }: Target): void {
  startLeaving()
  openLink(url)
}

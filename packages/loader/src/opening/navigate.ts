/** From the click to the navigation, and until the widget is visible. */
import { delay } from '../delay.ts'
import { asError, isWidgetError, widgetError } from '../errors.ts'
import { pageOf } from '../names.ts'
import { endOnError, type Opening, sentenceOf, type Target } from '../opening.ts'
import { close, handleReturn } from '../outcome/conclude.ts'
import { checkNow, findRefusal, follow, watchPurchase } from '../outcome/follow.ts'
import { DETACHED, LOADED, LOADING } from '../outcome/phases.ts'
import type { Settings } from '../settings.ts'
import { type Actions, addressOf } from '../surfaces/surface.ts'
import type { Mode, WidgetError } from '../types.ts'
import type { Click } from './click.ts'
import { mayOpen, waitForEarlier } from './earlier.ts'
import { ensureSurface, placeWindow } from './place.ts'
import { takeTarget } from './target.ts'

/** When the shopper reads that it takes longer. */
const SLOW_LOADING_MS = 5_000
/** How long a return page may take to send its message. */
const RETURN_MESSAGE_MS = 2_000

/**
 * In the click: opens the window if one was requested, then starts the navigation.
 *
 * @param click What the click has already opened.
 */
export function start(
  opening: Opening,
  click?: Click,
  mode?: Mode,
  whenBlocked: Settings['whenBlocked'] = opening.whenBlocked,
): void {
  endOnError(opening, () => {
    const openedTarget = placeWindow(opening, whenBlocked, mode, click)
    if (!opening.now.ended) void navigate(opening, openedTarget)
  })
}

/**
 * Fetches a target and navigates the surface to it. Failures on the way are shown there, and can be retried. A purchase that may be paid is
 * not replaced by another one.
 *
 * @param openedTarget The target to which the click has already navigated its window.
 */
export async function navigate(opening: Opening, openedTarget?: Target): Promise<void> {
  const { now } = opening
  const { target: before, phase } = now
  const earlier = now.shown ? waitForEarlier(opening) : undefined
  if (earlier) {
    endOnError(opening, () => {
      ensureSurface(opening)
      now.surface?.show()
    })
    closeOnLeave(opening)
    if (!(await mayOpen(opening, earlier))) return
  }
  // A window that may still be open gets the same purchase again.
  const again = phase === DETACHED && before && before.until > Date.now() ? before : undefined
  const signal = opening.begin()
  // An effect that StrictMode undoes at once must not cost a token.
  await null
  if (signal.aborted) return
  // Send the request before anything is drawn.
  const target = openedTarget ?? again ?? takeTarget(opening, now.mode, !now.shown, before)
  endOnError(opening, () => ensureSurface(opening))
  closeOnLeave(opening)
  void openTarget(opening, target, !openedTarget)
  endOnError(opening, () => {
    if (now.shown) now.surface?.show()
    if (!now.failed) watchLoading(opening)
  })
}

/** A shopper who leaves the page and comes back has not clicked again; but an earlier payment, for which no surface is left, goes on. */
function closeOnLeave(opening: Opening): void {
  const { now } = opening
  const { surface, signal } = now
  if (surface?.leaves)
    addEventListener('pagehide', () => now.surface === surface && close(opening), { signal })
}

/** Navigates the surface to a target; synchronously, if the target is available. */
async function openTarget(
  opening: Opening,
  pending: Target | Promise<Target>,
  mustNavigate: boolean,
): Promise<void> {
  const { now } = opening
  const { signal } = now
  try {
    const target = pending instanceof Promise ? await pending : pending
    const { surface } = now
    // A window that was closed meanwhile would open again as a new one.
    const isGone = !surface || (mustNavigate && !surface.framed && !surface.view())
    if (!signal.aborted && !isGone) beginLoading(opening, target, mustNavigate)
  } catch (cause) {
    // A browser's error message about an address may quote it, and the token with it.
    const error = isWidgetError(cause) ? cause : asError((cause as Error).name)
    if (!signal.aborted) showFailure(opening, error)
  }
}

/** @param mustNavigate Whether the surface still has to navigate: the click may have navigated its window already. */
function beginLoading(opening: Opening, target: Target, mustNavigate: boolean): void {
  const { now } = opening
  // First, since the rest takes milliseconds; no answer arrives before this task has ended.
  if (mustNavigate) now.surface?.go(target.url, target.origin)
  follow(opening, target)
  if (now.shown) watchPurchase(opening)
  pageOf().addEventListener('securitypolicyviolation', (event) => handlePolicyViolation(opening, event), {
    signal: now.signal,
  })
  opening.advance(LOADING)
  if (now.surface?.leaves) opening.end({ status: 'redirected' })
}

const showWaiting = ({ now, onclose }: Opening, sentence: string): void =>
  now.surface?.setNotice(sentence, { cancel: onclose }, true)

/** Shows that the widget is loading, and says when that takes longer, and when it takes too long. */
export function watchLoading(opening: Opening): void {
  const { now, strings, loadTimeout } = opening
  const { signal } = now
  if (!now.shown) return
  showWaiting(opening, strings.loading)
  delay(SLOW_LOADING_MS, signal).then(() => {
    if (now.phase <= LOADING && !now.failed) showWaiting(opening, strings.connecting)
  })
  delay(loadTimeout, signal).then(() => {
    // A window that has just been closed ends the opening by itself.
    if (now.failed || now.phase > LOADING || !now.surface) return
    if (now.phase === LOADING) return handleSlowLoading(opening)
    // Any answer of the call is too late now.
    opening.begin()
    showFailure(opening, widgetError('token_failed', 'loadTimeout'))
  })
}

/** Shows the failure in the widget's place, with what the shopper can do; an opening that was never visible just ends. */
function showFailure(opening: Opening, error: WidgetError): void {
  const { now, onclose } = opening
  opening.fail(error)
  if (now.shown)
    now.surface?.setNotice(sentenceOf(opening, error), { ...recoveryActions(opening), cancel: onclose })
  else close(opening)
}

/**
 * Something has loaded: the widget, or an error page. Nothing covers it, since it may be a form that the shopper has half filled in. A page
 * that this one can read has the page's own origin, so it is not the widget.
 */
export function handleLoad(opening: Opening, address: string | undefined): void {
  const { phase, failed, target, surface } = opening.now
  // A quick purchase is over before its window counts as loaded.
  if (address && (phase >= LOADED || !surface?.framed)) handleSilentReturn(opening, address)
  if (phase !== LOADING || failed?.code === 'frame_blocked') return
  if (!address) markLoaded(opening)
  // A window reports every page of this site.
  else if (surface?.framed || (target?.byLink && address === target.url)) handleOwnPage(opening)
}

/**
 * A page of this site has followed the widget, so the shopper is back, even if that page sends no message because it is a gateway's error
 * page. In a window, or in a frame that was opened without a link, it may also belong to a sign-in: only the return address counts there.
 */
async function handleSilentReturn(opening: Opening, address: string): Promise<void> {
  const { now, redirectPage } = opening
  const { ask, signal, surface, target } = now
  const purchaseId = target?.purchaseId ?? ''
  const isReturn = (surface?.framed && target?.byLink) || address.includes(`/return/${purchaseId}`)
  if (!ask || !isReturn || redirectPage !== 'self') return
  await delay(RETURN_MESSAGE_MS, signal)
  // The page may have led back to the widget.
  if (now.surface && addressOf(now.surface.view()))
    handleReturn(opening, { purchaseId, status: 'unknown', url: '' })
}

/**
 * The companion may have refused the purchase, on a page of its own that says why. Any other page of this site is there by mistake, if it is in
 * the place of the companion's link; another address may be one of the merchant's own pages.
 */
async function handleOwnPage(opening: Opening): Promise<void> {
  const { now, companion } = opening
  if (companion && ((await findRefusal(opening)) || now.failed || now.phase !== LOADING)) return
  if (!now.target?.byLink) return markLoaded(opening)
  showFailure(
    opening,
    widgetError('open_failed', 'GET /launch: a page of this site is in the place of the widget.'),
  )
}

/** The widget is visible, as far as the page can tell. */
export function markLoaded(opening: Opening): void {
  const { now, emit } = opening
  opening.advance(LOADED)
  const { surface, shown, mode } = now
  if (!shown || !surface) return
  emit('load', { mode })
  surface.setNotice()
  if (surface.framed)
    surface.setNotice('', {
      trouble: () =>
        surface.setNotice('', { ...recoveryActions(opening), dismiss: () => surface.setNotice() }),
    })
}

/** A new window helps a frame that has an address and does not show it. */
function recoveryActions(opening: Opening): Actions {
  const { surface, target } = opening.now
  const openInNewWindow = (): void => start(opening, undefined, 'popup', 'redirect')
  return { retry: () => navigate(opening), ...(surface?.framed && target && { openInNewWindow }) }
}

/** A frame reports its load, and a window that still shows the waiting page has not loaded; any other window may show the widget. */
function handleSlowLoading(opening: Opening): void {
  const { surface } = opening.now
  if (surface && (surface.framed || addressOf(surface.view()) === 'about:blank'))
    showFailure(opening, widgetError('load_timeout'))
}

function handlePolicyViolation(
  opening: Opening,
  { blockedURI, disposition, effectiveDirective }: SecurityPolicyViolationEvent,
): void {
  const { target, phase, failed, surface } = opening.now
  if (disposition === 'report' || effectiveDirective !== 'frame-src' || !target || !surface?.framed) return
  // An origin, with or without a path.
  const isOf = (origin: string): boolean => `${blockedURI}/`.startsWith(`${origin}/`)
  if (phase >= LOADED && opening.returnOrigins.some(isOf)) checkNow(opening)
  else if (failed?.code !== 'frame_blocked' && [target.origin, new URL(target.url).origin].some(isOf))
    showFailure(opening, widgetError('frame_blocked'))
}

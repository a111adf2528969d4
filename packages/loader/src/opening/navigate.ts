/** From the click to the navigation, and to the widget that shows. */
import { delay } from '../delay.ts'
import { asError, isWidgetError, widgetError } from '../errors.ts'
import { pageOf } from '../names.ts'
import { close, conclude } from '../outcome/conclude.ts'
import { askOnce } from '../outcome/confirm.ts'
import { arriveKnown, follow, lookNow, watchOver } from '../outcome/follow.ts'
import { DETACHED, LOADED, LOADING, OPENING } from '../outcome/phases.ts'
import { findRefusal } from '../outcome/refused.ts'
import { unknown } from '../outcome/result.ts'
import { attempt, end, enter, type Run, rise, sentenceOf, tellError } from '../run.ts'
import type { Settings } from '../settings.ts'
import { addressOf } from '../surfaces/address.ts'
import type { Ways } from '../surfaces/surface.ts'
import type { WidgetErrorCode } from '../types.ts'
import { placeRest, placeWindow } from './place.ts'

/** Milliseconds after which the shopper reads that it takes longer. */
const LONG = 5_000

/** In the click: opens the window where one was asked for, then goes. */
export function start(run: Run, whenBlocked: Settings['whenBlocked'] = run.whenBlocked): void {
  attempt(run, () => {
    placeWindow(run, whenBlocked)
    go(run)
  })
}

/**
 * Asks for a target, and leads the surface there. What fails on the way is said there, and can be tried again. A purchase that the shopper
 * has seen, and that may be paid, is not forgotten for another one.
 */
export async function go(run: Run): Promise<void> {
  if (run.shown && run.surface && run.ask && run.phase >= LOADED) {
    waitWith(run, run.strings.loading)
    const answer = await askOnce(run.ask, run.navigation.signal)
    // Whoever has given up meanwhile is answered elsewhere.
    if (!run.surface) return
    if (answer?.status === 'complete') return arriveKnown(run, answer)
    if (answer?.status === 'pending') return conclude(run, unknown, {})
  }
  const { target: before, click } = run
  run.click = undefined
  // A window that may still be open shows the same purchase.
  const again = run.phase === DETACHED && before && before.until > Date.now() && before
  run.navigation.abort()
  run.navigation = new AbortController()
  const { signal } = run.navigation
  run.target = run.failed = run.returned = undefined
  run.blocked = false
  enter(run, OPENING)
  // An effect that StrictMode undoes at once must not cost a token.
  await null
  if (signal.aborted) return
  // The request leaves before anything is drawn.
  const known = click?.target ?? again
  const taken = known ? Promise.resolve(known) : run.take(run.mode, !run.shown, before)
  taken.catch(() => {})
  attempt(run, () => {
    placeRest(run)
    arm(run)
  })
  try {
    const target = await taken
    const { surface } = run
    if (signal.aborted || !surface) return
    follow(run, target)
    if (run.shown) watchOver(run)
    pageOf().addEventListener('securitypolicyviolation', (event) => refused(run, event), { signal })
    // The click has led its window there already.
    if (!click?.target) surface.go(target.url, target.origin)
    rise(run, LOADING)
    if (surface.leaves) end(run, { status: 'redirected' })
  } catch (cause) {
    if (!signal.aborted) fail(run, cause)
  }
}

export const waitWith = ({ surface, onclose }: Run, sentence: string): void =>
  surface?.say(sentence, { cancel: onclose }, true)

/** Shows that the widget is on its way, and says in time when that takes longer, and too long. */
export function arm(run: Run): void {
  const { strings } = run
  const { signal } = run.navigation
  if (!run.shown) return
  waitWith(run, strings.loading)
  delay(LONG, signal).then(() => {
    if (run.phase <= LOADING && !run.failed) waitWith(run, strings.connecting)
  })
  delay(run.loadTimeout, signal).then(() => {
    // A window that has just been closed ends it by itself.
    if (run.failed || run.phase > LOADING || !run.surface) return
    if (run.phase === LOADING) return offerWayOut(run, 'load_timeout')
    // Whatever the call answers now is too late.
    run.navigation.abort()
    // Nothing that waits on an aborted one ends, and a window that the shopper closes now has to.
    run.navigation = new AbortController()
    fail(run, widgetError('token_failed', 'No access token in loadTimeout.'))
  })
}

/** Keeps the surface, with a way on; what nobody has seen just ends. */
function fail(run: Run, cause: unknown): void {
  // A browser's message about an address may quote it, and with it the token.
  const error = isWidgetError(cause) ? cause : asError((cause as Error).name)
  run.failed = error
  tellError(run, error)
  if (run.shown) run.surface?.say(sentenceOf(run, error), { retry: () => go(run), cancel: run.onclose })
  else close(run)
}

/**
 * Something has loaded: the widget, or an error page. Nothing covers it: it may be a form that the shopper has half filled in. A page that
 * can be read is of this origin, and no widget.
 */
export function loaded(run: Run): void {
  const { phase, blocked, target, surface } = run
  if (phase !== LOADING || blocked) return
  if (target?.byLink && surface && addressOf(surface.view())) notTheWidget(run)
  else reach(run)
}

/** The companion has refused the link on a page of its own, which says why; any other page is there by mistake. */
async function notTheWidget(run: Run): Promise<void> {
  if ((await findRefusal(run)) || run.failed || run.phase !== LOADING) return
  fail(run, widgetError('open_failed', 'GET /launch: a page of this site is in the place of the widget.'))
}

export function reach(run: Run): void {
  const { surface, mode } = run
  run.failed = undefined
  enter(run, LOADED)
  if (!run.shown || !surface) return
  run.emit('load', { mode })
  surface.say()
  if (surface.framed)
    surface.say('', { trouble: () => surface.say('', { ...waysOut(run), dismiss: () => surface.say() }) })
}

const waysOut = (run: Run): Ways => ({
  retry: () => go(run),
  openInNewWindow() {
    run.mode = 'popup'
    start(run, 'redirect')
  },
})

/** For a frame that does not load. */
function offerWayOut(run: Run, code: WidgetErrorCode): void {
  const { surface, failed, shown, strings } = run
  if (!surface?.framed || failed || !shown) return
  run.failed = widgetError(code)
  tellError(run, run.failed)
  surface.say(strings.notLoading, waysOut(run))
}

function refused(
  run: Run,
  { blockedURI, disposition, effectiveDirective }: SecurityPolicyViolationEvent,
): void {
  const { target } = run
  if (disposition === 'report' || effectiveDirective !== 'frame-src' || !target) return
  const isOf = (origin: string): boolean => blockedURI.startsWith(origin)
  if (run.phase >= LOADED && run.returnOrigins.some(isOf)) lookNow(run)
  else if ([target.origin, new URL(target.url).origin].some(isOf)) {
    run.blocked = true
    offerWayOut(run, 'frame_blocked')
  }
}

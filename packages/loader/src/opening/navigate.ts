/** From the click to the navigation, and to the widget that shows. */
import { delay } from '../delay.ts'
import { asError, isWidgetError, widgetError } from '../errors.ts'
import { pageOf } from '../names.ts'
import { attempt, type Opening, sentenceOf, type Target } from '../opening.ts'
import { close, conclude } from '../outcome/conclude.ts'
import { type Ask, askOnce } from '../outcome/confirm.ts'
import { arriveKnown, findRefusal, follow, lookNow, watchOver } from '../outcome/follow.ts'
import { DETACHED, LOADED, LOADING } from '../outcome/phases.ts'
import { unknown } from '../outcome/result.ts'
import type { Settings } from '../settings.ts'
import { addressOf } from '../surfaces/address.ts'
import type { Ways } from '../surfaces/surface.ts'
import type { Mode, WidgetErrorCode } from '../types.ts'
import type { Click } from './click.ts'
import { placeRest, placeWindow } from './place.ts'

/** Milliseconds after which the shopper reads that it takes longer. */
const LONG = 5_000

/**
 * In the click: opens the window where one was asked for, then goes.
 *
 * @param click What the click has opened already.
 */
export function start(
  opening: Opening,
  click?: Click,
  mode?: Mode,
  whenBlocked: Settings['whenBlocked'] = opening.whenBlocked,
): void {
  attempt(opening, () => void go(opening, placeWindow(opening, whenBlocked, mode, click)))
}

/**
 * Asks for a target, and leads the surface there. What fails on the way is said there, and can be tried again. A purchase that the shopper
 * has seen, and that may be paid, is not forgotten for another one.
 *
 * @param heading Where the click has led its window already.
 */
export async function go(opening: Opening, heading?: Target): Promise<void> {
  const { now } = opening
  const { target: before, phase, ask } = now
  if (now.shown && now.surface && ask && phase >= LOADED && (await isKnown(opening, ask))) return
  // A window that may still be open shows the same purchase.
  const again = phase === DETACHED && before && before.until > Date.now() ? before : undefined
  const signal = opening.begin()
  // An effect that StrictMode undoes at once must not cost a token.
  await null
  if (signal.aborted) return
  // The request leaves before anything is drawn.
  const target = heading ?? again ?? opening.take(now.mode, !now.shown, before)
  attempt(opening, () => placeRest(opening))
  void leadTo(opening, target, !heading)
  attempt(opening, () => {
    if (now.shown) now.surface?.show()
    if (!now.failed) arm(opening)
  })
}

/** Leads the surface to a target, at once where that is there. */
async function leadTo(opening: Opening, taken: Target | Promise<Target>, goes: boolean): Promise<void> {
  const { now } = opening
  const { signal } = now
  try {
    const target = taken instanceof Promise ? await taken : taken
    const { surface } = now
    // A window that was closed meanwhile would open again as another one.
    const isGone = !surface || (goes && !surface.framed && !surface.view())
    if (!signal.aborted && !isGone) lead(opening, target, goes)
  } catch (cause) {
    if (!signal.aborted) giveUp(opening, cause)
  }
}

/** Before another try: whether the server knows of an order. Then there is no other try. */
async function isKnown(opening: Opening, ask: Ask): Promise<boolean> {
  waitWith(opening, opening.strings.loading)
  const answer = await askOnce(ask, opening.now.signal)
  // Whoever has given up meanwhile is answered elsewhere.
  if (!opening.now.surface) return true
  if (answer?.status === 'complete') arriveKnown(opening, answer)
  else if (answer?.status === 'pending') conclude(opening, { otherwise: unknown, returned: {} })
  else return false
  return true
}

/** @param goes Whether the surface has yet to go there: a click may have led its window already. */
function lead(opening: Opening, target: Target, goes: boolean): void {
  const { now } = opening
  // First, since the rest takes milliseconds; nothing comes back before this task has ended.
  if (goes) now.surface?.go(target.url, target.origin)
  follow(opening, target)
  if (now.shown) watchOver(opening)
  pageOf().addEventListener('securitypolicyviolation', (event) => refused(opening, event), {
    signal: now.signal,
  })
  opening.rise(LOADING)
  if (now.surface?.leaves) opening.end({ status: 'redirected' })
}

export const waitWith = ({ now, onclose }: Opening, sentence: string): void =>
  now.surface?.say(sentence, { cancel: onclose }, true)

/** Shows that the widget is on its way, and says in time when that takes longer, and too long. */
export function arm(opening: Opening): void {
  const { now, strings, loadTimeout } = opening
  const { signal } = now
  if (!now.shown) return
  waitWith(opening, strings.loading)
  delay(LONG, signal).then(() => {
    if (now.phase <= LOADING && !now.failed) waitWith(opening, strings.connecting)
  })
  delay(loadTimeout, signal).then(() => {
    // A window that has just been closed ends it by itself.
    if (now.failed || now.phase > LOADING || !now.surface) return
    if (now.phase === LOADING) return offerWayOut(opening, 'load_timeout')
    // Whatever the call answers now is too late.
    opening.begin()
    giveUp(opening, widgetError('token_failed', 'No access token in loadTimeout.'))
  })
}

/** Keeps the surface, with a way on; what nobody has seen just ends. */
function giveUp(opening: Opening, cause: unknown): void {
  const { now, onclose } = opening
  // A browser's message about an address may quote it, and with it the token.
  const error = isWidgetError(cause) ? cause : asError((cause as Error).name)
  opening.fail(error)
  if (now.shown) now.surface?.say(sentenceOf(opening, error), { retry: () => go(opening), cancel: onclose })
  else close(opening)
}

/**
 * Something has loaded: the widget, or an error page. Nothing covers it: it may be a form that the shopper has half filled in. A page that
 * can be read is of this origin, and no widget.
 */
export function loaded(opening: Opening): void {
  const { phase, failed, target, surface } = opening.now
  if (phase !== LOADING || failed?.code === 'frame_blocked') return
  if (target?.byLink && surface && addressOf(surface.view())) notTheWidget(opening)
  else reach(opening)
}

/** The companion has refused the link on a page of its own, which says why; any other page is there by mistake. */
async function notTheWidget(opening: Opening): Promise<void> {
  const { now } = opening
  if ((await findRefusal(opening)) || now.failed || now.phase !== LOADING) return
  giveUp(
    opening,
    widgetError('open_failed', 'GET /launch: a page of this site is in the place of the widget.'),
  )
}

/** The widget shows, as far as anybody can tell. */
export function reach(opening: Opening): void {
  const { now, emit } = opening
  opening.rise(LOADED)
  const { surface, shown, mode } = now
  if (!shown || !surface) return
  emit('load', { mode })
  surface.say()
  if (surface.framed)
    surface.say('', {
      trouble: () => surface.say('', { ...waysOut(opening), dismiss: () => surface.say() }),
    })
}

const waysOut = (opening: Opening): Ways => ({
  retry: () => go(opening),
  openInNewWindow: () => start(opening, undefined, 'popup', 'redirect'),
})

/** For a frame that does not load. */
function offerWayOut(opening: Opening, code: WidgetErrorCode): void {
  const { surface, shown } = opening.now
  if (!surface?.framed) return
  opening.fail(widgetError(code))
  if (shown) surface.say(opening.strings.notLoading, waysOut(opening))
}

function refused(
  opening: Opening,
  { blockedURI, disposition, effectiveDirective }: SecurityPolicyViolationEvent,
): void {
  const { target, phase, failed } = opening.now
  if (disposition === 'report' || effectiveDirective !== 'frame-src' || !target) return
  const isOf = (origin: string): boolean => blockedURI.startsWith(origin)
  if (phase >= LOADED && opening.returnOrigins.some(isOf)) lookNow(opening)
  else if (failed?.code !== 'frame_blocked' && [target.origin, new URL(target.url).origin].some(isOf))
    offerWayOut(opening, 'frame_blocked')
}

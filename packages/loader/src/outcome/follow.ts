/** From the navigation to the end: listens to the widget and the return page, notices a lost window, and polls the server. */
import { delay } from '../delay.ts'
import { widgetError } from '../errors.ts'
import { pageOf } from '../names.ts'
import { type Opening, sentenceOf, type Target } from '../opening.ts'
import { listen, type Reply, type ReturnedMessage } from './channel.ts'
import { close, conclude, handleReturn } from './conclude.ts'
import { askOnce, parseRefusal, untilEnded } from './confirm.ts'
import { storePurchaseId } from './kept.ts'
import { CONFIRMING, DETACHED, endsPurchase, interpretLoss, LOADING, pauseOf, READY } from './phases.ts'
import type { Answer } from './result.ts'

/** How long the return page may take once the server knows the result. */
const RETURN_PAGE_GRACE_MS = 10_000
/** How long to wait for a hidden window. */
const HIDDEN_WINDOW_TIMEOUT_MS = 1_800_000
/** Within what time all copies of a return page's message arrive, over its several channels. */
const DUPLICATE_MESSAGES_MS = 100
/** How long messages of a return page that closed its window may still arrive. */
const LATE_MESSAGES_MS = 700

/** Listens for everything about a target's purchase, until the navigation is aborted. */
export function follow(opening: Opening, target: Target): void {
  const { now, emit, onrestart } = opening
  opening.setTarget(target)
  listen(
    opening,
    target.purchaseId,
    {
      view: () => now.surface?.view(),
      origin: target.origin,
      onReturned: (message, fromWidget, reply) => handleReturnMessage(opening, message, fromWidget, reply),
      onRetry: onrestart,
      onRefused: () => findRefusal(opening),
      onMessage(event) {
        // The data is deserialized only if a listener reads it.
        emit('message', {
          get data() {
            return event.data
          },
        })
        const signalType = opening.interpretMessage?.(event.data)?.type
        if (signalType === 'ready') handleReady(opening)
        else if (signalType === 'close') close(opening)
        else if (signalType === 'finished') conclude(opening, { returned: {} })
      },
    },
    now.signal,
  )
}

function handleReady(opening: Opening): void {
  const { now, emit } = opening
  if (!opening.advance(READY)) return
  now.surface?.setNotice()
  if (now.shown) emit('ready', { mode: now.mode })
}

/** From the widget's own window it ends the surface; from anywhere else it only makes this page ask the server. */
async function handleReturnMessage(
  opening: Opening,
  { purchaseId, outcome, returnUrl }: ReturnedMessage,
  fromWidget: boolean,
  reply: Reply,
): Promise<void> {
  const { now } = opening
  const { ask, signal } = now
  const info = { purchaseId, status: outcome, url: returnUrl ?? '' }
  opening.setReturned(info)
  // The return page sends its message over several channels; the one from the widget's own window takes precedence.
  if (!fromWidget) await delay(DUPLICATE_MESSAGES_MS, signal)
  const unseen = isEndedBy(opening, 'failed', true)
  if (fromWidget || (!ask && unseen)) handleReturn(opening, info, reply)
  else if (ask && now.phase < CONFIRMING) {
    const answer = await untilEnded(ask, info, signal)
    if (answer && isEndedBy(opening, answer.status, true)) handleKnownResult(opening, answer, reply)
  }
}

const isEndedBy = ({ now, redirectPage }: Opening, status: Answer['status'], returned: boolean): boolean =>
  endsPurchase(status, { phase: now.phase, redirectPage, returned })

/** The server knows the result. */
export const handleKnownResult = (opening: Opening, answer: Answer, reply?: Reply): void =>
  handleReturn(
    opening,
    {
      purchaseId: opening.now.target?.purchaseId ?? '',
      status: answer.status === 'complete' ? 'success' : 'failure',
      url: answer.returnUrl ?? '',
    },
    reply,
    answer,
  )

/** Keeps the purchase for a reload, and polls for its result. */
export function watchPurchase(opening: Opening): void {
  if (opening.now.target) storePurchaseId(opening.now.target.purchaseId, true)
  poll(opening, false)
}

/** Asks once, and ends a purchase that has ended. */
export async function checkNow(opening: Opening): Promise<Answer | null | undefined> {
  const { ask, signal } = opening.now
  const answer = ask && (await askOnce(ask, signal))
  if (answer && isEndedBy(opening, answer.status, false)) {
    await delay(RETURN_PAGE_GRACE_MS, signal)
    handleKnownResult(opening, answer)
  }
  return answer
}

async function poll(opening: Opening, detached: boolean): Promise<void> {
  const { now } = opening
  const { ask, signal } = now
  if (!ask) return
  let wasPending = false
  for (let turn = 0, waited = 0; ; turn++) {
    const pause = pauseOf(turn, detached)
    await delay(pause, signal)
    waited += pause
    await whenVisible(signal)
    if (now.phase === CONFIRMING || detached !== (now.phase === DETACHED)) return
    const answer = await checkNow(opening)
    const isPending: boolean = answer ? answer.status === 'pending' : wasPending
    if (now.phase === DETACHED && isPending !== wasPending) showWindowLost(opening, isPending)
    wasPending = isPending
    if (waited > HIDDEN_WINDOW_TIMEOUT_MS && detached) conclude(opening, {})
  }
}

async function whenVisible(signal: AbortSignal): Promise<void> {
  const page = pageOf()
  while (page.visibilityState !== 'visible')
    await new Promise((resolve) => page.addEventListener('visibilitychange', resolve, { once: true, signal }))
}

/** Shown whether the window was closed or is hidden by COOP. */
const showWindowLost = (
  { setNotice, strings, onreopen, onfinish, oncancel }: Opening,
  isPending: boolean,
): void =>
  setNotice(isPending ? strings.processing : strings.windowLost, {
    ...(!isPending && { openInNewWindow: onreopen }),
    finished: onfinish,
    cancel: oncancel,
  })

/** The frame or window is gone. Under COOP it only seems so, and `closed` would be a guess. */
export async function handleLoss(opening: Opening): Promise<void> {
  const { surface, failed, phase, signal } = opening.now
  // A window that never showed the widget is not a hidden widget.
  const loss = surface && (failed ? 'left' : interpretLoss(phase, !!surface.framed))
  if (loss === 'detached') {
    opening.advance(DETACHED)
    showWindowLost(opening, false)
    poll(opening, true)
  } else if (loss === 'left') {
    opening.removeSurface()
    await delay(LATE_MESSAGES_MS, signal)
    // Another click may have reopened it.
    if (!opening.now.surface) close(opening)
  }
}

/**
 * Asks the companion whether it has refused the link. The page that it then serves in the widget's place tells the shopper; this function tells
 * the merchant's page. A message that says so is only a hint. Resolves to whether there is anything to tell.
 */
export async function findRefusal(opening: Opening): Promise<boolean> {
  const { now } = opening
  const { ask, signal, surface } = now
  const answer: Answer | null | undefined = ask && (await askOnce(ask, signal))
  if (now.phase !== LOADING) return false
  // The page says that this purchase is complete.
  if (answer?.status === 'complete') {
    handleKnownResult(opening, answer)
    return true
  }
  const companion = parseRefusal(answer?.refused)
  if (!companion) return false
  const { code, message } = companion
  const error = now.failed ?? widgetError('token_failed', `GET /launch: ${code}. ${message}`, { companion })
  if (!now.failed) opening.fail(error)
  // The companion's own page tells the shopper in the widget's place.
  if (surface?.framed) surface.setNotice()
  else surface?.setNotice(sentenceOf(opening, error), {})
  return true
}

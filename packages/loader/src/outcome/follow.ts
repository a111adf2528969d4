/** From the navigation to the end: listens to the widget and the return page, notices a lost window, and polls the server. */
import { delay } from '../delay.ts'
import { widgetError } from '../errors.ts'
import { pageOf } from '../names.ts'
import { type Opening, sentenceOf, type Target } from '../opening.ts'
import { listen, type Reply, type ReturnedMessage } from './channel.ts'
import { arrive, close, conclude } from './conclude.ts'
import { askOnce, parseRefusal, untilEnded } from './confirm.ts'
import { storePurchaseId } from './kept.ts'
import { CONFIRMING, DETACHED, endsOpen, LOADING, lossOf, pauseOf, READY } from './phases.ts'
import { type Answer, unknownResult } from './result.ts'

/** How long the return page may take once the server knows the result, in milliseconds. */
const GRACE = 10_000
/** How long to wait for a hidden window. */
const PATIENCE_UNSEEN = 1_800_000
/** Within what time all copies of a return page's message arrive, over its several channels. */
const SEVERAL_WAYS = 100
/** How long messages of a return page that closed its window may still arrive. */
const LAST_WORDS = 700

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
      onReturned: (message, fromWidget, reply) => hearReturn(opening, message, fromWidget, reply),
      onRetry: onrestart,
      onRefused: () => findRefusal(opening),
      onMessage(event) {
        // The data is deserialized only if a listener reads it.
        emit('message', {
          get data() {
            return event.data
          },
        })
        const said = opening.interpretMessage?.(event.data)?.type
        if (said === 'ready') ready(opening)
        else if (said === 'close') close(opening)
        else if (said === 'finished') conclude(opening, { otherwise: unknownResult, returned: {} })
      },
    },
    now.signal,
  )
}

function ready(opening: Opening): void {
  const { now, emit } = opening
  if (!opening.advance(READY)) return
  now.surface?.setNotice()
  if (now.shown) emit('ready', { mode: now.mode })
}

/** From the widget's own window it ends the surface; from anywhere else it only makes this page ask the server. */
async function hearReturn(
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
  if (!fromWidget) await delay(SEVERAL_WAYS, signal)
  const unseen = endsWith(opening, 'failed', true)
  if (fromWidget || (!ask && unseen)) arrive(opening, info, reply)
  else if (ask && now.phase < CONFIRMING) {
    const answer = await untilEnded(ask, info, signal)
    if (answer && endsWith(opening, answer.status, true)) arriveKnown(opening, answer, reply)
  }
}

const endsWith = ({ now, redirectPage }: Opening, status: Answer['status'], returned: boolean): boolean =>
  endsOpen(status, { phase: now.phase, redirectPage, returned })

/** The server knows the result. */
export const arriveKnown = (opening: Opening, answer: Answer, reply?: Reply): void =>
  arrive(
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
export function watchOver(opening: Opening): void {
  if (opening.now.target) storePurchaseId(opening.now.target.purchaseId)
  look(opening, false)
}

/** Asks once, and ends a purchase that has ended. */
export async function lookNow(opening: Opening): Promise<Answer | null | undefined> {
  const { ask, signal } = opening.now
  const answer = ask && (await askOnce(ask, signal))
  if (answer && endsWith(opening, answer.status, false)) {
    await delay(GRACE, signal)
    arriveKnown(opening, answer)
  }
  return answer
}

async function look(opening: Opening, detached: boolean): Promise<void> {
  const { now } = opening
  const { ask, signal } = now
  if (!ask) return
  let wasPending = false
  for (let turn = 0, waited = 0; ; turn++) {
    const pause = pauseOf(turn, detached)
    await delay(pause, signal)
    waited += pause
    await visible(signal)
    if (now.phase === CONFIRMING || detached !== (now.phase === DETACHED)) return
    const answer = await lookNow(opening)
    const isPending: boolean = answer ? answer.status === 'pending' : wasPending
    if (now.phase === DETACHED && isPending !== wasPending) sayLost(opening, isPending)
    wasPending = isPending
    if (waited > PATIENCE_UNSEEN && detached) conclude(opening, { otherwise: unknownResult })
  }
}

const visible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const page = pageOf()
    const look = (): void => {
      if (page.visibilityState === 'visible') resolve()
    }
    page.addEventListener('visibilitychange', look, { signal })
    look()
  })

/** Shown whether the window was closed or is hidden by COOP. */
const sayLost = ({ setNotice, strings, onreopen, onclose, oncancel }: Opening, isPending: boolean): void =>
  setNotice(isPending ? strings.processing : strings.windowLost, {
    ...(!isPending && { openInNewWindow: onreopen }),
    finished: onclose,
    cancel: oncancel,
  })

/** The frame or window is gone. Under COOP it only seems so, and `closed` would be a guess. */
export async function lost(opening: Opening): Promise<void> {
  const { surface, failed, phase, signal } = opening.now
  // A window that never showed the widget is not a hidden widget.
  const loss = surface && (failed ? 'left' : lossOf(phase, !!surface.framed))
  if (loss === 'detached') {
    opening.advance(DETACHED)
    sayLost(opening, false)
    look(opening, true)
  } else if (loss === 'left') {
    opening.removeSurface()
    await delay(LAST_WORDS, signal)
    close(opening)
  }
}

/**
 * Asks the companion whether it has refused the link. The page that it then serves in the widget's place tells the shopper; this function tells
 * the merchant's page. A message that says so is only a hint. Resolves to whether it has refused.
 */
export async function findRefusal(opening: Opening): Promise<boolean> {
  const { now } = opening
  const { ask, signal, surface } = now
  const answer: Answer | null | undefined = ask && (await askOnce(ask, signal))
  const companion = parseRefusal(answer?.refused)
  if (!companion || now.phase !== LOADING) return false
  const { code, message } = companion
  const error = now.failed ?? widgetError('token_failed', `GET /launch: ${code}. ${message}`, { companion })
  if (!now.failed) opening.fail(error)
  // The companion's own page tells the shopper in the widget's place.
  if (surface?.framed) surface.setNotice()
  else surface?.setNotice(sentenceOf(opening, error), {})
  return true
}

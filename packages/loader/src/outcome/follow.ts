/** From the navigation to the end: hears the widget and the return page, sees a window go, and asks the server now and then. */
import { delay } from '../delay.ts'
import { pageOf } from '../names.ts'
import { drop, type Run, rise } from '../run.ts'
import type { Target } from '../target.ts'
import type { Answer } from './answer.ts'
import { listen, type Reply, type ReturnedMessage } from './channel.ts'
import { arrive, close, conclude } from './conclude.ts'
import { askOnce, createAsk, untilEnded } from './confirm.ts'
import { keep } from './kept.ts'
import { CONFIRMING, DETACHED, endsOpen, lossOf, pauseOf, READY } from './phases.ts'
import { findRefusal } from './refused.ts'
import { unknown } from './result.ts'

/** For how long the return page may take once the server knows the end, in milliseconds. */
const GRACE = 10_000
/** For how long a window that is out of sight is waited for. */
const PATIENCE_UNSEEN = 1_800_000
/** How long one saying of a return page may take on its several ways. */
const SEVERAL_WAYS = 100
/** A return page that closed its window may still be speaking. */
const LAST_WORDS = 700

/** Hears what concerns a target's purchase, until the navigation is aborted. */
export function follow(run: Run, target: Target): void {
  const { navigation, emit } = run
  const { purchaseId, origin } = target
  run.target = target
  run.ask = createAsk(run, purchaseId)
  listen(
    run,
    purchaseId,
    {
      view: () => run.surface?.view(),
      origin,
      onReturned: (message, fromWidget, reply) => hearReturn(run, message, fromWidget, reply),
      onRetry: run.onrestart,
      onRefused: () => findRefusal(run),
      onMessage(event) {
        // Its data is unpacked only where somebody looks at it.
        emit('message', {
          get data() {
            return event.data
          },
        })
        const said = run.interpretMessage?.(event.data)?.type
        if (said === 'ready') ready(run)
        else if (said === 'close') close(run)
        else if (said === 'finished') conclude(run, unknown, {})
      },
    },
    navigation.signal,
  )
}

function ready(run: Run): void {
  if (!rise(run, READY)) return
  run.failed = undefined
  run.surface?.say()
  if (run.shown) run.emit('ready', { mode: run.mode })
}

/** From the widget's own window it ends the surface; from anywhere else it only makes this page ask. */
async function hearReturn(
  run: Run,
  { purchaseId, outcome, returnUrl }: ReturnedMessage,
  fromWidget: boolean,
  reply: Reply,
): Promise<void> {
  const { ask, navigation } = run
  const info = { purchaseId, status: outcome, url: returnUrl ?? '' }
  run.returned = info
  // The return page speaks in several ways; what its own window says comes first.
  if (!fromWidget) await delay(SEVERAL_WAYS, navigation.signal)
  const unseen = endsWith(run, 'failed', true)
  if (fromWidget || (!ask && unseen)) arrive(run, info, reply)
  else if (ask && run.phase < CONFIRMING) {
    const answer = await untilEnded(ask, info, navigation.signal)
    if (answer && endsWith(run, answer.status, true)) arriveKnown(run, answer, reply)
  }
}

const endsWith = ({ phase, redirectPage }: Run, status: Answer['status'], returned: boolean): boolean =>
  endsOpen(status, { phase, redirectPage, returned })

/** The server knows the end. */
export const arriveKnown = (run: Run, answer: Answer, reply?: Reply): void =>
  arrive(
    run,
    {
      purchaseId: run.target?.purchaseId ?? '',
      status: answer.status === 'complete' ? 'success' : 'failure',
      url: answer.returnUrl ?? '',
    },
    reply,
    answer,
  )

/** Keeps the purchase for a reload, and looks now and then what has become of it. */
export function watchOver(run: Run): void {
  if (run.target) keep(run.target.purchaseId)
  look(run, false)
}

/** The return page, it may be, was blocked by the page's own policy. */
export const lookNow = async (run: Run): Promise<Answer | null | undefined> => {
  const answer = run.ask && (await askOnce(run.ask, run.navigation.signal))
  if (answer) await consider(run, answer)
  return answer
}

async function look(run: Run, detached: boolean): Promise<void> {
  const { ask, navigation } = run
  const { signal } = navigation
  if (!ask) return
  let wasPending = false
  for (let turn = 0, waited = 0; ; turn++) {
    const pause = pauseOf(turn, detached)
    await delay(pause, signal)
    waited += pause
    await visible(signal)
    if (run.phase === CONFIRMING || detached !== (run.phase === DETACHED)) return
    const answer = await lookNow(run)
    const isPending: boolean = answer ? answer.status === 'pending' : wasPending
    if (run.phase === DETACHED && isPending !== wasPending) sayLost(run, isPending)
    wasPending = isPending
    if (waited > PATIENCE_UNSEEN && detached) conclude(run, unknown)
  }
}

async function consider(run: Run, answer: Answer): Promise<void> {
  if (!endsWith(run, answer.status, false)) return
  await delay(GRACE, run.navigation.signal)
  arriveKnown(run, answer)
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

/** True whether the window was closed or is hidden by COOP. */
const sayLost = ({ say, strings, onreopen, onclose, oncancel }: Run, isPending: boolean): void =>
  say(isPending ? strings.processing : strings.windowLost, {
    ...(!isPending && { openInNewWindow: onreopen }),
    finished: onclose,
    cancel: oncancel,
  })

/** The frame or window is gone. Under COOP it only looks so, and `closed` would be a guess. */
export async function lost(run: Run): Promise<void> {
  const { surface, navigation } = run
  // A window that shows no widget is no widget out of sight.
  const loss = surface && (run.failed ? 'left' : lossOf(run.phase, !!surface.framed))
  if (loss === 'detached') {
    rise(run, DETACHED)
    sayLost(run, false)
    look(run, true)
  } else if (loss === 'left') {
    drop(run)
    await delay(LAST_WORDS, navigation.signal)
    close(run)
  }
}

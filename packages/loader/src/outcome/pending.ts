/** The result of the purchase that this tab had open before its page was reloaded, evicted or killed. */
import { defer } from '../delay.ts'
import { nullProto } from '../names.ts'
import { dismissPurchase, isOpenHere } from '../opening.ts'
import { type Appearance, appearanceOf, type Settings } from '../settings.ts'
import { createBar } from '../surfaces/shell.ts'
import type { PurchaseResult, WidgetBehaviour } from '../types.ts'
import { type Ask, createAsk, type Server, untilEnded } from './confirm.ts'
import { clearPurchaseId, isOfPage, storedPurchaseId } from './kept.ts'
import type { Answer } from './result.ts'
import { resultOf, unansweredResult, unknownResult } from './result.ts'

export interface PendingOptions extends Pick<WidgetBehaviour, 'locale' | 'strings' | 'theme'> {
  /** Address of the companion handler. */
  companion: string
  /** As for `createPurchaseWidget`. */
  headers?: Settings['headers']
  /** Called when the payment turns out to be under way, and the page starts to say so. */
  onPending?: () => void
}

/** This page's only wait for the purchase that its tab has stored, or that a widget wants to open again, whatever code asks for it. */
export interface Wait {
  readonly id: string
  /** Whether its payment is under way. */
  isPending: boolean
  /** Whether the page waits for the result, and will report it. */
  isAwaited: boolean
  /** The server's first answer; nothing if there is none. */
  readonly found: Promise<Answer | null | undefined>
  /** null: no order resulted from it, or the shopper does not want to wait. */
  readonly result: Promise<PurchaseResult | null>
  /** The shopper does not want to wait. */
  dismiss(): void
}

let wait: Wait | undefined

/** Asks about a purchase; while its payment is under way, the page says so. */
export function waitFor(id: string, ask: Ask, appearance: Appearance): Wait {
  if (wait?.id !== id) wait = start(id, ask, appearance)
  return wait
}

/** The same for the purchase that the tab has stored. Returns undefined if there is none, or no server to ask. */
export function waitForStored(server: Server, appearance: Appearance): Wait | undefined {
  const id = storedPurchaseId()
  const ask = id && createAsk(server, id)
  return ask ? waitFor(id, ask, appearance) : undefined
}

function start(id: string, ask: Ask, appearance: Appearance): Wait {
  const setNotice = createBar(() => appearance)
  const stop = new AbortController()
  const { promise: found, resolve: resolveFound } = defer<Answer | null | undefined>()
  const { promise: answered, resolve } = defer<Answer | null | undefined>()
  function dismiss(): void {
    stop.abort()
    dismissPurchase(id)
    resolve({ status: 'none' })
  }
  untilEnded(ask, undefined, stop.signal, (answer) => {
    started.isPending = true
    setNotice(appearance.strings.processing, { dismiss }, true)
    resolveFound(answer)
  }).then(resolve)
  const result = answered.then((answer) => {
    setNotice()
    resolveFound(answer)
    if (wait === started) wait = undefined
    if (!answer) return unansweredResult
    if (answer.status === 'none') return null
    const known = resultOf(answer, unknownResult)
    if (known.status !== 'unknown') clearPurchaseId(id)
    return known
  })
  const started: Wait = { id, isPending: false, isAwaited: isOfPage(), found, result, dismiss }
  return started
}

/** Implements getPendingResult.ts, once this stage has loaded. */
export function getPendingResult(options: PendingOptions): Promise<PurchaseResult | null> {
  const { onPending, ...given } = nullProto(options)
  // A widget that is open reports its purchase itself.
  const waiting = isOpenHere(storedPurchaseId()) ? undefined : waitForStored(given, appearanceOf(given))
  if (!waiting) return Promise.resolve(null)
  waiting.isAwaited = true
  waiting.found.then(() => waiting.isPending && onPending?.())
  return waiting.result
}

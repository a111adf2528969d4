/** One opening as it goes: what both halves, before the navigation and after it, know and can do. */
import { type Store, tellError as tell } from './emitter.ts'
import { asError } from './errors.ts'
import type { Click } from './opening/click.ts'
import type { Ask, Returned } from './outcome/confirm.ts'
import { forget } from './outcome/kept.ts'
import { LOADED, type OpenStatus, type Phase, statusOf } from './outcome/phases.ts'
import type { Host, Say, Surface } from './surfaces/surface.ts'
import type { Target } from './target.ts'
import type { Mode, PurchaseResult, WidgetError } from './types.ts'

/** What the merchant has set, and how far it has come. */
export interface Run extends Omit<Host, 'mode'> {
  readonly emit: Store['emit']
  report(status: OpenStatus, mode: Mode): void
  done(result: PurchaseResult): void
  /** Gives a target for one navigation. */
  take(mode: Mode, early?: boolean, before?: Target): Promise<Target>
  /** In the click: opens the window again that cannot be seen any more. */
  onreopen(): void
  /** As it was asked for, or what came in its place. */
  mode: Mode
  phase: Phase
  /** Not while it is only warmed up. */
  shown?: boolean
  /** What the click has opened already; taken by the first placing. */
  click?: Click | undefined
  surface?: Surface | undefined
  target?: Target | undefined
  /** Asks what became of the target's purchase; undefined where there is nobody to ask. */
  ask?: Ask | undefined
  /** What a return page of this purchase has said. */
  returned?: Returned | undefined
  /** The shopper is back, and the page is to go to the return address. */
  goesOn?: boolean
  /** This navigation and all that follows from it; aborted by the next one, and by the end. */
  navigation: AbortController
  /** A widget was open, or may have been, in which the shopper could have paid. */
  mayHavePaid?: boolean
  /** What has failed, while the shopper may try again. */
  failed?: WidgetError | undefined
  /** The page's own policy blocks the frame, which then reports the load of an error page. */
  blocked?: boolean
  ended?: boolean
}

/** Reports a phase; a lower one only where a new navigation begins. */
export function enter(run: Run, phase: Phase): void {
  run.phase = phase
  if (phase >= LOADED) run.mayHavePaid = true
  if (run.shown) run.report(statusOf[phase], run.mode)
}

/** Goes up to a phase. False when the run is already there, or beyond. */
export function rise(run: Run, phase: Phase): boolean {
  if (run.ended || phase <= run.phase) return false
  enter(run, phase)
  return true
}

/** Takes the widget away. */
export function drop(run: Run, stays?: boolean): void {
  run.surface?.remove(stays)
  run.surface = undefined
}

/** @param last What is said once the widget is gone; before the result, whose listeners may destroy the widget or open it again. */
export function end(run: Run, result: PurchaseResult, ...last: Parameters<Say>): void {
  if (run.ended) return
  run.ended = true
  run.navigation.abort()
  drop(run)
  run.say(...last)
  // What may yet be paid is asked about before the next purchase, and after a reload.
  if (run.target && isOver(result)) forget(run.target.purchaseId)
  run.done(result)
}

/** Whether nothing more can become of the purchase. */
const isOver = (result: PurchaseResult): boolean =>
  result.status === 'success' || result.status === 'failure' || (result.status === 'closed' && !result.order)

/** Tells the developer, unless it is only warmed up. */
export function tellError({ emit, shown }: Run, error: WidgetError): void {
  if (shown) tell(emit, error)
}

/** Why the purchase could not be opened. Why the shop does not sell is for the shopper; every other message is for the developer. */
export function sentenceOf({ strings, mayHavePaid }: Run, { companion }: WidgetError): string {
  const { code, message } = companion ?? {}
  if (code === 'purchase_refused' && message) return message
  return mayHavePaid ? strings.failed : `${strings.failed} ${strings.notCharged}`
}

/** Around every entry: whatever throws ends the opening, and leaves nothing. */
export function attempt(run: Run, act: () => void): void {
  try {
    act()
  } catch (cause) {
    const error = asError(cause)
    tellError(run, error)
    end(run, { status: 'error', error })
  }
}

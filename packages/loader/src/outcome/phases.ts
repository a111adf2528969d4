/** How far a purchase has come, and how to interpret what the page observes. Pure. */
import type { RedirectPage, WidgetState } from '../types.ts'
import type { Answer } from './result.ts'

export const OPENING = 0
export const LOADING = 1
export const LOADED = 2
export const READY = 3
export const DETACHED = 4
export const CONFIRMING = 5

/** It only increases, until a new navigation starts at `OPENING`. */
export type Phase = 0 | 1 | 2 | 3 | 4 | 5

type OpenStatus = Exclude<WidgetState['status'], 'idle' | 'settled' | 'destroyed'>

/** The state that each phase is reported as. */
export const statusOf: Readonly<Record<Phase, OpenStatus>> = [
  'opening',
  'loading',
  'loaded',
  'ready',
  'detached',
  'confirming',
]

/**
 * Interprets the loss of the widget's window. A window that last showed the waiting page or the widget's origin was closed; one that
 * disappears while it loads may be open under COOP, where `closed` reads true.
 */
export const interpretLoss = (phase: Phase, framed: boolean): 'left' | 'detached' | 'nothing' =>
  phase >= DETACHED ? 'nothing' : phase === LOADING && !framed ? 'detached' : 'left'

/**
 * Whether the server's answer ends a purchase whose widget is open. A failed order does not, since the shopper can try again, unless
 * a return page has reported, and the widget's own window could not have done so.
 */
export const endsPurchase = (
  status: Answer['status'],
  { phase, redirectPage, returned }: { phase: Phase; redirectPage: RedirectPage; returned: boolean },
): boolean =>
  status === 'complete' || (status === 'failed' && returned && (redirectPage === 'new' || phase === DETACHED))

/** Milliseconds until the next request about an open widget: after 15, 30, then every 60 s; more often if nothing else reports the end. */
export const pauseOf = (turn: number, detached: boolean): number =>
  detached ? Math.min(1_000 * 2 ** turn, 16_000) : turn < 2 ? 15_000 : 60_000

/** One opening of a widget: its state, which nothing else changes, and the one list of what must be undone. */
import { emitError, type Store } from './emitter.ts'
import { asError } from './errors.ts'
import { nullProto } from './names.ts'
import { type Ask, createAsk, type Returned } from './outcome/confirm.ts'
import { clearPurchaseId, storedPurchaseId, storePurchaseId } from './outcome/kept.ts'
import { LOADED, OPENING, type Phase, statusOf } from './outcome/phases.ts'
import type { Host, SetNotice, Surface } from './surfaces/surface.ts'
import type { Mode, PurchaseResult, WidgetError } from './types.ts'

/** An address to open, for one purchase. */
export interface Target {
  purchaseId: string
  url: string
  /** The widget's origin. */
  origin: string
  /** The URL is the companion's link, which leads to the same purchase however often it is opened. */
  byLink?: true
  /** When the URL becomes too old to be opened again, in milliseconds since 1970. */
  until: number
  /** The same for showing a preloaded frame, whose ticket has already been used. */
  shownUntil: number
}

/** The state of one navigation. */
interface Navigation {
  /** Aborted by the next navigation and by the end; listeners and timers stop with it. */
  signal: AbortSignal
  target: Target | undefined
  /** Asks for the result of the target's purchase; undefined if there is no server to ask. */
  ask: Ask | undefined
  /** What a return page of this purchase has reported. */
  returned: Returned | undefined
  /** The error, as long as the shopper can try again. */
  failed: WidgetError | undefined
}

interface State extends Navigation {
  /** The mode that was requested, or the one that replaced it. */
  mode: Mode
  phase: Phase
  /** False while the widget is only preloading. */
  shown: boolean
  surface: Surface | undefined
  /** A widget in which the shopper could have paid was open, or may have been. */
  mayHavePaid: boolean
  ended: boolean
}

/** What an opening is created from. */
export interface OpeningInit extends Host {
  readonly emit: Store['emit']
  readonly enter: Store['enter']
  done(result: PurchaseResult): void
  /** The purchase of the frame that this opening replaces: it may be paid, and the widget reports it. */
  readonly replaces: string | undefined
  /** In the click: reopens a window that can no longer be seen. */
  onreopen(): void
}

export interface Opening extends OpeningInit {
  readonly now: Readonly<State>
  /** Makes the opening visible to the shopper, and its events to the page. `inDoubt`: an earlier purchase of this tab may be paid. */
  show(inDoubt: boolean): void
  /** Starts a navigation, and with it the phases from the first; returns its signal. */
  begin(): AbortSignal
  setTarget(target: Target): void
  /** Returns false if the opening is already in that phase or beyond, or has ended. */
  advance(phase: Phase): boolean
  /** Sets the surface. `mode`: what replaces the one that was requested. */
  place(surface: Surface | undefined, mode?: Mode): void
  /** Removes the widget. `stays`: a window of its own stays open for the shopper. */
  removeSurface(stays?: boolean): void
  setReturned(returned: Returned): void
  /** Records an error after which the shopper can try again; the caller shows the message. */
  fail(error: WidgetError): void
  /** Reports an error to the developer, unless the widget is not visible yet. */
  report(error: WidgetError): void
  /** @param last The notice to show once the widget is gone; before the result, whose listeners may destroy the widget or open it again. */
  end(result: PurchaseResult, ...last: Parameters<SetNotice>): void
}

/** What the shopper sees of this page's widgets. */
const openHere = new Set<Opening>()

/** The purchase that an opening shows, or that it has replaced and asks about. */
export const purchaseOf = ({ now, replaces }: Opening): string | undefined =>
  now.target?.purchaseId ?? replaces

export const isOpenHere = (id: string | undefined): boolean =>
  !!id && [...openHere].some((opening) => purchaseOf(opening) === id)

/** How long a payment may be on its way that the shopper made just before closing the widget. */
const CLOSED_FRAME_MS = 120_000
/** The same of a window: COOP may hide one that seems closed, and no page can close a tab of its own. */
const CLOSED_WINDOW_MS = 1_800_000

/** Purchases whose payment was under way when their widget ended. */
const underWay = new Set<string | undefined>()
/** Purchases for which the shopper does not want to wait: no widget that still asks about one stores it again. */
const dismissed = new Set<string>()

export function dismissPurchase(id: string): void {
  dismissed.add(id)
  clearPurchaseId(id)
}

/** A purchase that may yet be paid is looked up before the next one, and after a reload. The tab may have stored another widget's since. */
function forget(
  { purchaseId }: Target,
  result: PurchaseResult,
  { mode, mayHavePaid }: Readonly<State>,
): void {
  const { status } = result
  const isFrame = mode === 'iframe' || mode === 'modal'
  // This page may be restored from the history, after another one has reported the result.
  if (status === 'redirected') storePurchaseId(purchaseId)
  else if (status === 'success' || status === 'failure') clearPurchaseId(purchaseId)
  else if ('order' in result && result.order) {
    if (dismissed.has(purchaseId)) return
    underWay.add(purchaseId)
    storePurchaseId(purchaseId, true)
  } else if (status === 'closed' && !mayHavePaid) clearPurchaseId(purchaseId)
  else if (status === 'closed' && !underWay.has(storedPurchaseId()))
    storePurchaseId(purchaseId, true, isFrame ? CLOSED_FRAME_MS : CLOSED_WINDOW_MS)
}

const noNavigation = { target: undefined, ask: undefined, returned: undefined, failed: undefined }

const initialState = (mode: Mode, { signal }: AbortController): State => ({
  ...noNavigation,
  signal,
  mode,
  phase: OPENING,
  shown: false,
  surface: undefined,
  mayHavePaid: false,
  ended: false,
})

export function createOpening(given: OpeningInit): Opening {
  let navigation = new AbortController()
  const now = nullProto(initialState(given.mode, navigation))

  function enter(phase: Phase): void {
    now.phase = phase
    if (phase >= LOADED) {
      now.mayHavePaid ||= now.shown
      now.failed = undefined
    }
    if (now.shown) given.enter({ status: statusOf[phase], mode: now.mode })
  }

  function removeSurface(stays?: boolean): void {
    now.surface?.remove(stays)
    now.surface = undefined
  }

  const report = (error: WidgetError): void => {
    if (now.shown) emitError(given.emit, error)
  }

  const opening: Opening = nullProto({
    ...given,
    now,
    removeSurface,
    report,
    show(inDoubt) {
      now.shown = true
      openHere.add(opening)
      now.mayHavePaid ||= inDoubt
      enter(now.phase)
    },
    begin() {
      navigation.abort()
      navigation = new AbortController()
      Object.assign(now, noNavigation, { signal: navigation.signal })
      enter(OPENING)
      return now.signal
    },
    setTarget(target) {
      now.target = target
      now.ask = createAsk(given, target.purchaseId, target.byLink && target.until < Infinity)
    },
    advance(phase) {
      const advances = !now.ended && phase > now.phase
      if (advances) enter(phase)
      return advances
    },
    place(surface, mode = now.mode) {
      now.surface = surface
      now.mode = mode
    },
    setReturned(returned) {
      now.returned = returned
    },
    fail(error) {
      now.failed = error
      report(error)
    },
    end(result, ...last) {
      if (now.ended) return
      now.ended = true
      navigation.abort()
      removeSurface()
      given.setNotice(...last)
      openHere.delete(opening)
      if (now.shown && now.target) forget(now.target, result, now)
      given.done(result)
    },
  } satisfies Opening)
  return opening
}

/** Wraps every entry point: an exception ends the opening and leaves nothing behind. */
export function endOnError(opening: Opening, act: () => void): void {
  try {
    act()
  } catch (cause) {
    const error = asError(cause)
    opening.report(error)
    opening.end({ status: 'error', error })
  }
}

/** Why the purchase could not be opened. The shop's reason for not selling is for the shopper; every other message is for the developer. */
export function sentenceOf({ strings, now }: Opening, { companion }: WidgetError): string {
  const { code, message } = companion ?? {}
  if (code === 'purchase_refused' && message) return message
  return now.mayHavePaid ? strings.failed : `${strings.failed} ${strings.notCharged}`
}

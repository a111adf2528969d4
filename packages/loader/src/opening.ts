/** One opening of a widget: its state, which nothing else changes, and the one list of what has to be undone. */
import { type Store, tellError } from './emitter.ts'
import { asError } from './errors.ts'
import { own } from './names.ts'
import { type Ask, createAsk, type Returned } from './outcome/confirm.ts'
import { forget } from './outcome/kept.ts'
import { LOADED, OPENING, type Phase, statusOf } from './outcome/phases.ts'
import { isOver } from './outcome/result.ts'
import type { Host, Say, Surface } from './surfaces/surface.ts'
import type { Mode, PurchaseResult, WidgetError } from './types.ts'

/** An address to open, for one purchase. */
export interface Target {
  purchaseId: string
  url: string
  /** The widget's. */
  origin: string
  /** Opened by the companion's link, which leads to the same purchase however often it is opened. */
  byLink?: true
  /** When an address that was fetched early is too old to be opened, in milliseconds since 1970. */
  until: number
  /** The same for a frame that was loaded early to be shown: it has used its ticket. */
  shownUntil: number
}

/** What belongs to one navigation. */
interface Navigation {
  /** Aborted by the next navigation, and by the end: listeners and timers stop with it. */
  signal: AbortSignal
  target: Target | undefined
  /** Asks what became of the target's purchase; undefined where there is nobody to ask. */
  ask: Ask | undefined
  /** What a return page of this purchase has said. */
  returned: Returned | undefined
  /** What has failed, while the shopper may try again. */
  failed: WidgetError | undefined
}

interface State extends Navigation {
  /** As it was asked for, or what came in its place. */
  mode: Mode
  phase: Phase
  /** Not while it is only warmed up. */
  shown: boolean
  surface: Surface | undefined
  /** A widget was open, or may have been, in which the shopper could have paid. */
  mayHavePaid: boolean
  ended: boolean
}

/** What an opening is made with. */
export interface Given extends Host {
  readonly emit: Store['emit']
  readonly enter: Store['enter']
  done(result: PurchaseResult): void
  /** Gives a target for one navigation: at once, where nothing has to be fetched for it. */
  take(mode: Mode, early?: boolean, before?: Target): Target | Promise<Target>
  /** In the click: opens the window again that cannot be seen any more. */
  onreopen(): void
}

export interface Opening extends Given {
  readonly now: Readonly<State>
  /** From now on the shopper sees it, and the page hears of it. `inDoubt`: an earlier purchase of this tab may be paid. */
  show(inDoubt: boolean): void
  /** Begins a navigation, and with it the phases; gives its signal. */
  begin(): AbortSignal
  /** The navigation leads there. */
  head(target: Target): void
  /** Goes up to a phase. False when it is already there, or beyond. */
  rise(phase: Phase): boolean
  /** `mode`: what comes in place of the one that was asked for. */
  place(surface: Surface | undefined, mode?: Mode): void
  /** Takes the widget away. `stays`: a window of its own is left to the shopper. */
  drop(stays?: boolean): void
  hear(returned: Returned): void
  /** The shopper may try again; what is said about it is the caller's. */
  fail(error: WidgetError): void
  /** Tells the developer, unless nobody sees it yet. */
  tell(error: WidgetError): void
  /** @param last What is said once the widget is gone; before the result, whose listeners may destroy the widget or open it again. */
  end(result: PurchaseResult, ...last: Parameters<Say>): void
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

export function createOpening(given: Given): Opening {
  let navigation = new AbortController()
  const now = own(initialState(given.mode, navigation))

  function enter(phase: Phase): void {
    now.phase = phase
    if (phase >= LOADED) {
      now.mayHavePaid = true
      now.failed = undefined
    }
    if (now.shown) given.enter({ status: statusOf[phase], mode: now.mode })
  }

  function drop(stays?: boolean): void {
    now.surface?.remove(stays)
    now.surface = undefined
  }

  const tell = (error: WidgetError): void => {
    if (now.shown) tellError(given.emit, error)
  }

  return own({
    ...given,
    now,
    drop,
    tell,
    show(inDoubt) {
      now.shown = true
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
    head(target) {
      now.target = target
      now.ask = createAsk(given, target.purchaseId)
    },
    rise(phase) {
      const rises = !now.ended && phase > now.phase
      if (rises) enter(phase)
      return rises
    },
    place(surface, mode = now.mode) {
      now.surface = surface
      now.mode = mode
    },
    hear(returned) {
      now.returned = returned
    },
    fail(error) {
      now.failed = error
      tell(error)
    },
    end(result, ...last) {
      if (now.ended) return
      now.ended = true
      navigation.abort()
      drop()
      given.say(...last)
      // What may yet be paid is asked about before the next purchase, and after a reload.
      if (now.target && isOver(result)) forget(now.target.purchaseId)
      given.done(result)
    },
  } satisfies Opening)
}

/** Around every entry: whatever throws ends the opening, and leaves nothing. */
export function attempt(opening: Opening, act: () => void): void {
  try {
    act()
  } catch (cause) {
    const error = asError(cause)
    opening.tell(error)
    opening.end({ status: 'error', error })
  }
}

/** Why the purchase could not be opened. Why the shop does not sell is for the shopper; every other message is for the developer. */
export function sentenceOf({ strings, now }: Opening, { companion }: WidgetError): string {
  const { code, message } = companion ?? {}
  if (code === 'purchase_refused' && message) return message
  return now.mayHavePaid ? strings.failed : `${strings.failed} ${strings.notCharged}`
}

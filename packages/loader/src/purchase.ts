/** One purchase: from the click to its result. */
import { hearReturns } from './channel.ts'
import { delay, findOrder, knownIds, type Purchase, untilEnded } from './confirm.ts'
import { widgetError } from './errors.ts'
import type { Settings } from './options.ts'
import { resultOf, unverified } from './state.ts'
import { addressOf, createFrame, type FrameSurface, type Surface } from './surfaces/frame.ts'
import { openWindow } from './surfaces/popup.ts'
import { forget, keep } from './surfaces/redirect.ts'
import { addBar } from './surfaces/shell.ts'
import type { GetTarget, Target } from './token.ts'
import type {
  ConfirmHint,
  Mode,
  OrderSummary,
  PurchaseResult,
  WidgetError,
  WidgetErrorCode,
  WidgetEventMap,
  WidgetState,
} from './types.ts'
import { parseReturnUrl } from './url.ts'

export type OpenStatus = Exclude<WidgetState['status'], 'idle' | 'closed' | 'destroyed'>

/** What the handle gives to a purchase. */
export interface Host {
  settings: Settings
  getTarget: GetTarget
  /** The frame that was warmed up, once. */
  takeWarm(): FrameSurface | undefined
  emit<Type extends keyof WidgetEventMap>(type: Type, payload: WidgetEventMap[Type]): void
  enter(status: OpenStatus, mode: Mode): void
  end(result: PurchaseResult): void
}

export interface OpenPurchase {
  /** The person is done: ask the server, then end. */
  close(): void
  focus(): void
  /** Ends at once, asking nobody. */
  end(result: PurchaseResult): void
}

/** For how long the server is asked: about an order that is on its way, and while the window can't be seen. */
const PATIENCE = 30_000
const PATIENCE_UNSEEN = 1_800_000

export function openPurchase(host: Host): OpenPurchase {
  const { settings, emit } = host
  const { strings, companion, confirm, redirectPage } = settings
  const life = new AbortController()
  const { signal } = life
  const purchase: Purchase = { id: Math.random().toString(36).slice(2), companion }
  let known: Promise<void> | undefined

  let mode = settings.mode
  let surface: Surface | undefined
  let frame: FrameSurface | undefined
  let target: Target | undefined
  let deadline = Number.POSITIVE_INFINITY
  let removeWayOut: (() => void) | undefined
  /** The window showed another origin, so it can be observed. */
  let seen = false
  let detached = false
  let ready = false
  let returned = false
  let turn = 0

  const enter = (status: OpenStatus): void => host.enter(status, mode)

  function end(result: PurchaseResult): void {
    if (signal.aborted) return
    life.abort()
    surface?.remove()
    if (redirectPage === 'new') forget()
    host.end(result)
  }

  const fail = (code: WidgetErrorCode, message: string): void =>
    end({ status: 'error', error: widgetError(code, message) })

  // Surfaces

  /** Shows the place for the widget, at once: a popup must open in the click. */
  function show(as: Mode, fallback: Settings['fallback'] = 'modal'): void {
    mode = as
    frame = surface = undefined
    if (as === 'popup' || (as === 'redirect' && redirectPage === 'new')) {
      const opened = openWindow(settings, as === 'popup')
      if (opened) {
        surface = opened
        addBar(opened.root, strings.inOtherWindow, [
          [strings.bringToFront, opened.focus],
          [strings.finished, close],
        ])
        return
      }
      emit('blocked', { fallback })
      if (fallback === 'none') {
        fail('popup_blocked', 'The browser blocked the window. Call open() in the click.')
        return
      }
      // A redirect that was asked for as a new tab now takes this one.
      as = mode = fallback
    }
    if (as !== 'redirect') showFrame()
  }

  function showFrame(): void {
    frame = host.takeWarm() ?? createFrame(settings, mode === 'modal')
    surface = frame
    frame.onload = reached
    frame.onmoved = () => go()
    frame.onclosed = close
    frame.show()
  }

  function reached(): void {
    if (seen) return
    seen = true
    enter('loaded')
    emit('load', { mode })
  }

  /** Takes the surface to the widget, with a token that is still good. */
  async function go(anew?: boolean): Promise<void> {
    removeWayOut?.()
    removeWayOut = undefined
    enter('opening')
    // An effect that StrictMode undoes at once must not cost a token.
    await null
    if (signal.aborted) return
    if (companion && !known) known = knownIds(companion).then(remember)
    const warm = frame?.target
    if (warm && warm.until > Date.now() && !anew) target = warm
    else {
      try {
        target = await host.getTarget(anew)
      } catch (error) {
        return end({ status: 'error', error: error as WidgetError })
      }
      // A page that stays learns the ids while the widget loads; the return page of another tab needs them first.
      if (!frame) await Promise.race([known, delay(500, signal)])
      if (signal.aborted) return
      if (!surface) return leave(target.url)
    }
    seen = false
    deadline = Date.now() + (settings.loadTimeout ?? 15_000)
    enter('loading')
    keep(purchase, frame ? window : (surface?.view() ?? null))
    if (target !== warm) surface?.go(target)
    else if (frame?.reached) reached()
  }

  function remember(ids: string[] | undefined): void {
    purchase.ids = ids
    if (frame) keep(purchase, window)
    if (redirectPage === 'new') keep(purchase, window, 'localStorage')
  }

  function leave(url: string): void {
    keep(purchase, window)
    surface?.remove()
    location.assign(url)
    end({ status: 'redirected' })
  }

  /** A frame's failures are mostly silent (M1): whoever sees nothing gets another way. */
  function offerWayOut(code: WidgetErrorCode, message: string): void {
    if (removeWayOut || !frame) return
    if (!seen) emit('error', widgetError(code, message))
    removeWayOut = addBar(frame.root, strings.notLoading, [
      [strings.retry, () => go(true)],
      [
        strings.openInNewWindow,
        () => {
          surface?.remove()
          show('popup', 'redirect')
          go()
        },
      ],
    ])
  }

  // The ways in which a purchase ends

  /** Asks the server, then ends. A later cause overtakes an earlier one. */
  async function conclude(otherwise: PurchaseResult, hint: ConfirmHint = {}, patience = 0): Promise<void> {
    const mine = ++turn
    surface?.remove()
    surface = frame = undefined
    enter('confirming')
    const order = await ask(hint, (known) => (known === null ? patience : PATIENCE))
    if (mine !== turn) return
    if (order === undefined) {
      const error = widgetError('confirm_failed', 'Your server did not say what became of the purchase.')
      if (!('verified' in otherwise)) return end({ status: 'error', error })
      emit('error', error)
    }
    end(resultOf(order, otherwise, hint.returnUrl))
  }

  function ask(
    hint: ConfirmHint,
    patience: (order: OrderSummary | null | undefined) => number,
  ): Promise<OrderSummary | null | undefined> {
    return confirm
      ? untilEnded(() => confirm(hint), patience, signal)
      : companion
        ? untilEnded(() => findOrder(purchase, hint), patience, signal)
        : Promise.resolve(null)
  }

  const unknown: PurchaseResult = { status: 'unknown', reason: 'The window could not be observed.' }

  /** The person is done. */
  function close(): void {
    if (returned || signal.aborted) return
    if (!target) end({ status: 'closed' })
    else conclude(detached ? unknown : { status: 'closed' })
  }

  /** The frame or window is gone; under COOP it only looks so, and `closed` would be a guess (M5). */
  async function lost(): Promise<void> {
    if (frame || seen || !target) {
      surface = frame = undefined
      // A return page that closed the window may still be speaking.
      await delay(700, signal)
      close()
    } else if (!detached) {
      detached = true
      enter('detached')
      const order = await ask({}, () => PATIENCE_UNSEEN)
      // The widget may be about to lead to the return page, which says more.
      if (order?.redirect_url) await delay(10_000, signal)
      if (!returned) end(resultOf(order, unknown))
    }
  }

  function arrive(url: string): void {
    if (returned) return
    returned = true
    const { redirect_url: redirectUrl = '', fail_redirect_url: failRedirectUrl = '' } = settings.params ?? {}
    const info = parseReturnUrl(url, { redirectUrl, failRedirectUrl }) ?? { status: 'unknown', url }
    let defaultPrevented = false
    emit('return', {
      info,
      get defaultPrevented() {
        return defaultPrevented
      },
      preventDefault() {
        defaultPrevented = true
      },
    })
    if (signal.aborted) return
    if (redirectPage === 'self' && !defaultPrevented) {
      leave(url)
      return
    }
    const { orderId, customId, url: returnUrl } = info
    conclude(
      unverified(info),
      { ...(orderId && { orderId }), ...(customId && { customId }), returnUrl },
      PATIENCE,
    )
  }

  // What the purchase listens to

  function watch(): void {
    if (!surface) return
    if (!surface.alive()) return void lost()
    const url = addressOf(surface.view())
    if (!frame && url === undefined) reached()
    if (url?.startsWith('http') && target?.origin !== origin && !url.startsWith(`${settings.launchUrl}`))
      arrive(url)
    if (Date.now() > deadline && !ready && !frame?.inUse())
      offerWayOut('load_timeout', 'The widget has not loaded. Offer another way to pay, or try again.')
  }

  const timer = setInterval(watch, 250)
  signal.addEventListener('abort', () => clearInterval(timer))

  hearReturns(
    settings.origins,
    ({ id, url }, source) => {
      const own = source && source === surface?.view()
      const matches = id ? id === purchase.id : !source && (redirectPage === 'new' || detached)
      if (own || matches) arrive(url)
    },
    signal,
  )

  addEventListener(
    'message',
    ({ source, origin, data }) => {
      if (!source || source !== surface?.view() || origin !== target?.origin) return
      emit('message', { data })
      const said = settings.interpretMessage?.(data)
      if (said?.type === 'ready') {
        ready = true
        enter('ready')
        emit('ready', { mode })
      } else if (said?.type === 'close') close()
      else if (said) conclude(unknown, said, PATIENCE)
    },
    { signal },
  )

  document.addEventListener(
    'securitypolicyviolation',
    ({ blockedURI }) => {
      if (target && blockedURI.startsWith(target.origin))
        offerWayOut('frame_blocked', 'Add the widget to frame-src of your Content-Security-Policy.')
    },
    { signal },
  )

  try {
    show(mode, settings.fallback)
    if (!signal.aborted) go()
  } catch (error) {
    end({ status: 'error', error: error as WidgetError })
  }

  return { close, end, focus: () => surface?.focus() }
}

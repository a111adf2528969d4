/** One purchase: from the click, or from warming up, to its result. */
import { type CloseMessage, hearReturns, isReturn, type ReturnMessage } from './channel.ts'
import { delay, findOrder, KEY, knownIds, type Purchase, untilEnded } from './confirm.ts'
import { isWidgetError, widgetError } from './errors.ts'
import type { Settings } from './options.ts'
import { own } from './own.ts'
import { resultOf, unknown, unverified } from './state.ts'
import { addressOf, allow, createFrame, type Surface } from './surfaces/frame.ts'
import { openWindow } from './surfaces/popup.ts'
import { forget, keep } from './surfaces/redirect.ts'
import { addBar } from './surfaces/shell.ts'
import type { Target, Targets } from './token.ts'
import type {
  ConfirmHint,
  Mode,
  OrderSummary,
  PurchaseResult,
  WidgetErrorCode,
  WidgetEventMap,
  WidgetState,
} from './types.ts'
import { parseReturnUrl, safeOrigin } from './url.ts'

export type OpenStatus = Exclude<WidgetState['status'], 'idle' | 'closed' | 'destroyed'>
export type Emit = <Type extends keyof WidgetEventMap>(type: Type, payload: WidgetEventMap[Type]) => void

export interface PurchaseControl {
  /** Loads the widget in a frame that nobody sees yet. */
  warm(): void
  /** Shows the widget. In the click: a popup opens at once. */
  open(): void
  focus(): void
  /** The person is done: asks the server, then ends. */
  close(): void
  /** Ends at once, asking nobody. */
  end(result: PurchaseResult): void
}

/** For how long the server is asked, in milliseconds: about an order that is on its way, and while the window is out of sight. */
const PATIENCE = 30_000
const PATIENCE_UNSEEN = 1_800_000

export function createPurchase(
  settings: Settings,
  takeTarget: Targets['take'],
  emit: Emit,
  report: (status: OpenStatus, mode: Mode) => void,
  done: (result: PurchaseResult) => void,
): PurchaseControl {
  const { strings, companion, confirm, redirectPage, origins, params } = settings
  const life = new AbortController()
  const { signal } = life
  const purchase: Purchase = { id: `${Math.random()}`, companion }

  let { mode } = settings
  let status: OpenStatus = 'opening'
  let shown = false
  let surface: Surface | undefined
  let view: Window | null = null
  let target: Target | undefined
  let known: Promise<void> | undefined
  let answer: ((message: CloseMessage) => void) | undefined
  let deadline = 0
  let wayOut: HTMLElement | undefined
  /** The page's own policy blocks the frame, which then reports the load of an error page. */
  let blocked = false
  let returned = false
  /** For how many looks in a row the window has shown another origin: COOP too shows that for a moment. */
  let seen = 0
  let turn = 0

  function enter(next: OpenStatus): void {
    status = next
    if (shown) report(status, mode)
  }

  function end(result: PurchaseResult): void {
    if (signal.aborted) return
    life.abort()
    surface?.remove()
    if (redirectPage === 'new') forget()
    done(result)
  }

  const fail = (cause: unknown): void =>
    end({
      status: 'error',
      error: isWidgetError(cause)
        ? cause
        : widgetError('open_failed', 'The widget could not be opened; see cause.', cause),
    })

  // To the widget

  function makeFrame(): void {
    surface = createFrame(own({ ...settings, mode }), loaded, close)
    document.addEventListener('securitypolicyviolation', refused, { signal })
  }

  /** The ladder: a window, else what `fallback` says. A redirect is what is left when there is no surface. */
  function climb(fallback = settings.fallback): void {
    surface?.remove()
    surface = undefined
    if (mode === 'popup' || (mode === 'redirect' && redirectPage === 'new')) {
      surface = openWindow(settings, mode === 'popup')
      if (surface)
        addBar(
          surface.root,
          strings.inOtherWindow,
          [strings.bringToFront, surface.focus],
          [strings.finished, close],
        )
      else {
        emit('blocked', { fallback })
        if (fallback === 'none')
          throw widgetError('popup_blocked', 'Call open() in the click, or set a fallback.')
        mode = fallback
      }
    }
    if (!surface && mode !== 'redirect') makeFrame()
  }

  async function go(): Promise<void> {
    wayOut?.remove()
    wayOut = undefined
    view = null
    seen = 0
    blocked = false
    enter('opening')
    const place = surface
    try {
      // An effect that StrictMode undoes at once must not cost a token.
      await null
      if (signal.aborted) return
      target = await takeTarget()
      // A page that stays learns the ids while the widget loads; the return page of another tab needs them first.
      if (!place?.frame) await Promise.race([known, delay(500, signal)])
      // The person may have closed the window meanwhile, or asked for another.
      if (signal.aborted || place !== surface) return
      if (!place) return leave(target.url)
      if (place.frame) place.frame.allow = allow(target.origin)
      view = place.view()
      keep(purchase, place.frame ? window : view)
      place.go(target.url)
      arm()
      enter('loading')
    } catch (error) {
      // A browser's message about an address may quote it, and with it the token.
      fail(isWidgetError(error) ? error : (error as Error).name)
    }
  }

  function arm(): void {
    deadline = Date.now() + (settings.loadTimeout ?? 15_000)
  }

  /** A frame has loaded: the widget, or an error page; or nothing, since it was moved in the document. */
  function loaded(): void {
    if (view && view !== surface?.view()) go()
    else if (status === 'loading' && !blocked && addressOf(view) !== 'about:blank') reached()
  }

  function reached(): void {
    wayOut?.remove()
    enter('loaded')
    if (shown) emit('load', { mode })
  }

  function remember(ids: string[] | undefined): void {
    purchase.ids = ids
    if (surface?.frame) keep(purchase, window)
    if (redirectPage === 'new') keep({ ...purchase, id: undefined }, window, 'localStorage')
  }

  function leave(url: string): void {
    keep(purchase, window)
    answer?.({ source: KEY, type: 'close', id: purchase.id })
    surface?.remove()
    location.assign(url)
    end({ status: 'redirected' })
  }

  /** For a frame that does not load. One that reports a load may be an error page or a shopper's half-filled form: nothing covers it. */
  function offerWayOut(code: WidgetErrorCode, message: string): void {
    if (wayOut || !surface?.frame) return
    emit('error', widgetError(code, message))
    wayOut = addBar(
      surface.root,
      strings.notLoading,
      [strings.retry, go],
      [
        strings.openInNewWindow,
        () => {
          mode = 'popup'
          climb('redirect')
          go()
        },
      ],
    )
  }

  function refused({ blockedURI, disposition, effectiveDirective }: SecurityPolicyViolationEvent): void {
    if (disposition === 'report' || effectiveDirective !== 'frame-src') return
    if (!target || !blockedURI.startsWith(target.origin)) return
    blocked = true
    if (shown) offerWayOut('frame_blocked', 'Add the widget to frame-src of your Content-Security-Policy.')
  }

  // To the result

  const ask = (
    hint: ConfirmHint,
    patience: number,
    patienceForNone: number,
  ): Promise<OrderSummary | null | undefined> | null =>
    confirm || companion
      ? untilEnded(
          () => (confirm ? confirm(hint) : findOrder(purchase, hint)),
          patience,
          patienceForNone,
          signal,
        )
      : null

  /** Asks the server, then ends. A later cause overtakes an earlier one. */
  async function conclude(
    otherwise: PurchaseResult,
    hint: ConfirmHint = {},
    patienceForNone = PATIENCE,
  ): Promise<void> {
    const mine = ++turn
    surface?.remove()
    surface = undefined
    enter('confirming')
    const order = await ask(hint, PATIENCE, patienceForNone)
    if (mine !== turn) return
    if (order === undefined) {
      const error = widgetError('confirm_failed', 'Your server did not answer; ask it again.')
      if (!('verified' in otherwise)) return fail(error)
      emit('error', error)
    }
    end(resultOf(order, otherwise, hint.returnUrl))
  }

  /** The person is done. */
  function close(): void {
    if (returned || status === 'confirming' || signal.aborted) return
    if (target) conclude(status === 'detached' ? unknown : { status: 'closed' }, {}, 0)
    else end({ status: 'closed' })
  }

  /** The frame or window is gone. Under COOP it only looks so, and `closed` would be a guess (M5). */
  async function lost(): Promise<void> {
    if (status === 'detached') return
    if (surface?.frame || status !== 'loading') {
      surface?.remove()
      surface = undefined
      // A return page that closed the window may still be speaking.
      await delay(700, signal)
      return close()
    }
    enter('detached')
    const asked = ask({}, PATIENCE_UNSEEN, PATIENCE_UNSEEN)
    if (!asked) return
    const order = await asked
    // The widget may be about to lead to the return page.
    if (order?.redirect_url) await delay(10_000, signal)
    if (!returned) end(resultOf(order, unknown))
  }

  function arrive(url: string): void {
    if (returned || !origins.includes(safeOrigin(url))) return
    returned = true
    const info = parseReturnUrl(url, {
      redirectUrl: params.redirect_url,
      failRedirectUrl: params.fail_redirect_url,
    }) ?? { status: 'unknown', url }
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
    if (redirectPage === 'self' && !defaultPrevented) leave(url)
    else conclude(unverified(info), { ...info, returnUrl: info.url })
  }

  // What is watched while the widget is open

  function watch(): void {
    const now = surface?.view()
    if (!surface) return
    if (!now) {
      lost()
      return
    }
    const url = addressOf(now)
    if (!url) {
      if (!surface.frame && status === 'loading' && ++seen > 1) reached()
    } else if (
      url.startsWith('http') &&
      target?.origin !== origin &&
      !url.startsWith(`${settings.launchUrl}`)
    )
      arrive(url)
    if (status === 'loading' && deadline < Date.now())
      offerWayOut('load_timeout', 'The widget has not loaded; offer another way.')
  }

  const hear = ({ id, url }: ReturnMessage): void => {
    if (id ? id === purchase.id : redirectPage === 'new' || status === 'detached') arrive(url)
  }

  function receive(event: MessageEvent): void {
    const { source, origin } = event
    const own = source && source === surface?.view()
    const fromWidget = own && origin === target?.origin
    const fromMerchant = origins.includes(origin)
    // A stranger's message is refused before its data is touched: the browser may not have unpacked it yet.
    if (!fromWidget && !fromMerchant) return
    const { data } = event
    if (fromMerchant && isReturn(data)) {
      if (own) arrive(data.url)
      else if (data.id) hear(data)
    } else if (fromWidget) {
      emit('message', { data })
      const said = settings.interpretMessage?.(data)
      if (said?.type === 'ready') {
        wayOut?.remove()
        enter('ready')
        emit('ready', { mode })
      } else if (said?.type === 'close') close()
      else if (said?.type === 'finished') conclude(unknown, said)
    }
  }

  async function learn(): Promise<void> {
    await null
    if (!signal.aborted) remember(companion ? await knownIds(companion) : undefined)
  }

  return {
    close,
    end,
    focus: () => surface?.focus(),
    warm() {
      try {
        makeFrame()
        go()
      } catch (error) {
        fail(error)
      }
    },
    open() {
      shown = true
      try {
        const timer = setInterval(watch, 100)
        signal.addEventListener('abort', () => clearInterval(timer))
        addEventListener('message', receive, { signal })
        answer = hearReturns(hear, signal)
        known = learn()
        const warm = surface?.view() && !blocked && (!target || target.until > Date.now())
        if (!warm) climb()
        surface?.show?.()
        arm()
        if (!warm) go()
        else if (status === 'loaded') reached()
        else enter(status)
      } catch (error) {
        fail(error)
      }
    },
  }
}

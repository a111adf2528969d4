/**
 * The script tag: a small first file that handles clicks. The second file, beside it, does the rest; it loads when the page is idle, after two
 * seconds, or in the click.
 *
 * A window, or this tab, goes to the purchase's link in the click. A frame or dialog, and what only the second file can open, waits: if that file
 * fails, or has not loaded after three seconds, the browser follows the link. A button for a frame, dialog or redirect waits on.
 */
import { nullProto, pageOf, sharedGlobal } from '../names.ts'
import { showConnecting, showNotStarted } from '../notice.ts'
import { isAway, openWindow, popupFeatures } from '../opening/click.ts'
import { randomId } from '../opening/link.ts'
import { storedPurchaseId, storePurchaseId } from '../outcome/kept.ts'
import { isLeaving, newName, startLeaving } from '../surfaces/address.ts'
import type { WidgetStrings } from '../types.ts'
import {
  type Handle,
  isForBrowser,
  isLink,
  type Press,
  pressedElement,
  type RestScript,
  stringsIn,
} from './press.ts'
import { trusted } from './trusted.ts'

const shared: { ready?(callback: () => void): void } = sharedGlobal()
const page = pageOf()
// Anything else starts nothing, as the last lines say.
const tag = page.currentScript as HTMLScriptElement

/** What waits for the API. */
const callbacks: (() => void)[] = []
/** The click that waits for the second file, or has gone on without it: one purchase at a time. */
let waiting: Press | undefined
let hideNotice = (): void => {}
/** For the second file. The companion fills in its widget's origin, in one place (routes/script.ts of packages/server). */
const handover = { tag, widgetOrigin: '{widget-origin}', takeOver, follow }
/** The second file's function, once that file has loaded. */
let handle: Handle | undefined
/** The second file, until its request fails. */
let requested: RestScript | undefined
let tries = 0
const MAX_TRIES = 5

function load(): void {
  if (requested || handle) return
  const script: RestScript = Object.assign(page.createElement('script'), {
    nonce: tag.nonce,
    crossOrigin: 'anonymous',
    // The build inserts the second file's name and hash here (integrity.ts).
    integrity: '__integrity__',
    purchaseWidget: handover,
    onerror: fail,
  })
  requested = script
  /** The waiting click follows its link. The file is requested a few times more, then by each click, each call of `ready`, and with a new network. */
  function fail(): void {
    // An earlier request may have hung until now.
    if (requested !== script || handle) return
    requested = undefined
    if (waiting && !waiting.left) follow(waiting)
    if (tries < MAX_TRIES) setTimeout(load, 1_000 * tries ** 2)
  }
  try {
    // Browsers may remember an address that has failed to load.
    script.src = trusted(new URL(`__rest__${tries++ ? `?${tries}` : ''}`, tag.src).href)
    page.head.append(script)
    // A request may hang.
    setTimeout(fail, 15_000)
  } catch {
    // The page's policy forbids scripts to add scripts.
    fail()
  }
}

function takeOver(given: Handle): void {
  handle = given
  const press = waiting
  const { view, left } = press ?? {}
  // The window of a purchase is handed over too: the page gets its result. It may show why the companion has refused, or seem closed, as after a
  // switch of the browsing context group.
  if (press && (!left || (left.includes('purchase=') && view && (view.closed || isAway(view, left))))) {
    endWait()
    callbacks.unshift(() => given(press))
  }
  // Each runs in its own microtask, so that one that throws does not stop the others.
  for (const callback of callbacks) queueMicrotask(callback)
}

function endWait(): void {
  if (waiting) waiting.pressed.ariaBusy = null
  waiting = undefined
  hideNotice()
}

function onClick(event: MouseEvent): void {
  const pressed = pressedElement(event)
  if (!pressed || isForBrowser(pressed, event)) return
  event.preventDefault()
  const { view, left, href, pressed: before } = waiting ?? {}
  // A click no longer counts once its window is closed or back on this site, or after one on another link or button.
  const isSame = before === pressed || (left && !hasOtherParam(pressed))
  if (view ? !isAway(view) : !isSame || (left && href !== addressOf(pressed))) endWait()
  if (waiting) {
    if (view) view.focus()
    else if (left && !isLeaving()) {
      startLeaving()
      location.href = left
    }
  } else if (handle) handle({ pressed })
  else takePress(pressed)
  load()
}

/** The attributes of a link or button, and those of the script tag, over which they take precedence. */
const dataOf = (pressed: Element): DOMStringMap =>
  nullProto({ ...tag.dataset, ...(pressed as HTMLElement).dataset })

/** An option of the page with which another source sells than the link of the companion that has served this file. */
const isOtherSource = ([name, value]: [string, string | undefined]): boolean =>
  ['companion', 'launchUrl', 'widgetUrl'].includes(name) || (name === 'pageToken' && value !== 'false')

const launchAddress = (): string => new URL('launch', tag.src).href

/** A link's address, for a button the one beside this file, with the attributes that a link can carry. */
function linkOf(pressed: Element): URL {
  const url = new URL(isLink(pressed) ? pressed.href : launchAddress())
  const { paramProduct_id: product_id, locale, redirectPage: redirect_page } = dataOf(pressed)
  for (const [name, value] of Object.entries({ product_id, locale, redirect_page }))
    if (value !== undefined) url.searchParams.set(name, value)
  return url
}

const addressOf = (pressed: Element): string | undefined =>
  isLink(pressed) ? linkOf(pressed).href : undefined

/** Whether attributes name parameters that no link can carry. */
const hasOtherParam = (pressed: Element): boolean =>
  Object.keys(dataOf(pressed)).some((name) => name.startsWith('param') && name !== 'paramProduct_id')

/** Whether it leads to the companion that has served this file. A page may contain the file itself, or load it from a `data:` or `blob:` address. */
const isOwn = ({ origin: from, pathname }: URL): boolean =>
  tag.src.startsWith('http') && from + pathname === launchAddress()

/** The link, if the second file would open it too, without a request first (opening/link.ts). */
function launchOf(pressed: Element): URL | undefined {
  const isSource = tag.src.startsWith('http') && handover.widgetOrigin.startsWith('http')
  if (!isSource || Object.entries(tag.dataset).some(isOtherSource)) return undefined
  const url = linkOf(pressed)
  const names = [...url.searchParams.keys()]
  const isPlain = names.every((name) => ['product_id', 'locale', 'redirect_page'].includes(name))
  return isPlain && isOwn(url) && !hasOtherParam(pressed) ? url : undefined
}

const queryOf = (pressed: Element): URLSearchParams | undefined =>
  isLink(pressed) ? new URLSearchParams(pressed.search) : undefined

const stringsOf = (pressed: Element): WidgetStrings | undefined =>
  stringsIn(dataOf(pressed).locale ?? queryOf(pressed)?.get('locale'))

/** Nothing leaves without a network, or while an earlier purchase of this tab may be under way: no shopper pays twice. */
const mayLeave = (): boolean => navigator.onLine && !storedPurchaseId()

/** Gives a purchase of this site's companion an id, as the second stage does. */
function addId(url: URL, surface: string): string | undefined {
  if (!isSecureContext || url.origin !== origin || !url.pathname.endsWith('/launch')) return undefined
  const purchaseId = randomId()
  url.searchParams.set('purchase', purchaseId)
  url.searchParams.set('surface', surface)
  url.hash = ''
  return purchaseId
}

/** Opens a click's window, which browsers allow in the click alone, at the link if it can. What can't leave waits for the second file. */
function takePress(pressed: Element): void {
  const { mode, redirectPage } = dataOf(pressed)
  const asPopup = mode === 'popup'
  const asTab = mode === 'redirect' && (redirectPage ?? queryOf(pressed)?.get('redirect_page')) === 'new'
  const name = newName()
  const press: Press = { pressed, name }
  if (asPopup || asTab) {
    const url = mayLeave() ? launchOf(pressed) : undefined
    const purchaseId = url && addId(url, `${mode}`)
    press.view = openWindow(purchaseId ? url.href : '', name, asPopup ? popupFeatures : '')
    if (press.view && purchaseId) leave(press, url.href, purchaseId)
    else wait(press)
  } else if (mode === 'redirect' && isLink(pressed) && mayLeave() && !hasOtherParam(pressed)) follow(press)
  else wait(press)
}

function wait(press: Press): void {
  const { pressed, view } = press
  waiting = press
  pressed.ariaBusy = 'true'
  setTimeout(() => {
    if (waiting !== press) return
    if (isLink(pressed)) follow(press)
    else hideNotice = showConnecting(stringsOf(pressed), view)
  }, 3_000)
}

/** Navigates to the click's link; without a link or a network the shopper reads that nothing was opened. */
function follow(press: Press): void {
  const { pressed, view } = press
  endWait()
  // The shopper has changed their mind: a blank window does not seem closed.
  if (view?.closed) return
  if (isLink(pressed) && mayLeave()) {
    const url = linkOf(pressed)
    const purchaseId = addId(url, (view && dataOf(pressed).mode) || 'redirect')
    // Any other link is followed as it is.
    const href = purchaseId || isOwn(url) ? url.href : pressed.href
    leave(press, href, purchaseId)
    ;(view ?? window).location.href = href
  } else {
    view?.close()
    showNotStarted(stringsOf(pressed), storedPurchaseId(), () => !handle)
  }
}

/** The click needs no second file from now on. Its purchase is stored, so that this tab can ask about it after a reload. */
function leave(press: Press, left: string, purchaseId: string | undefined): void {
  const { pressed, view } = press
  if (purchaseId) storePurchaseId(purchaseId)
  // Neither another site's page nor a tab of its own may navigate this one.
  if (view && !(dataOf(pressed).mode === 'popup' && left.startsWith(`${origin}/`))) view.opener = null
  waiting = { ...press, left, href: addressOf(pressed) }
  startLeaving()
}

// A page may load the file twice.
if (!Object.hasOwn(shared, 'ready') && tag instanceof HTMLScriptElement) {
  shared.ready = (callback) => {
    if (handle) return callback()
    callbacks.push(callback)
    if (tries) load()
  }
  page.addEventListener('click', onClick)
  addEventListener('online', load)
  // A shopper who leaves the page and comes back has not clicked again.
  addEventListener('pagehide', () => waiting?.view || endWait())
  window.requestIdleCallback?.(load, { timeout: 2_000 }) ?? setTimeout(load)
}

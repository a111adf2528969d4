/**
 * The script tag: a small first file that handles clicks. The second file, beside it, does the rest; it loads when the page is idle, after two
 * seconds, or in the click.
 *
 * If the second file fails, or has not loaded three seconds after the click, the browser follows a link. A button has no address: it waits.
 */
import { pageOf, sharedGlobal } from '../names.ts'
import { showConnecting, showNotStarted } from '../notice.ts'
import { isAway, openWindow, popupFeatures } from '../opening/click.ts'
import { randomId } from '../opening/link.ts'
import { storedPurchaseId, storePurchaseId } from '../outcome/kept.ts'
import { newName } from '../surfaces/address.ts'
import type { WidgetStrings } from '../types.ts'
import { type Handle, isLink, type Press, pressedElement, type RestScript, stringsIn } from './press.ts'

const shared: { ready?(callback: () => void): void } = sharedGlobal()
const page = pageOf()
// Anything else starts nothing, as the last lines say.
const tag = page.currentScript as HTMLScriptElement

/** What waits for the API. */
const callbacks: (() => void)[] = []
/** The click that waits for the second file, or has gone on without it: one purchase at a time. */
let waiting: Press | undefined
let hideNotice = (): void => {}
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
    // The build inserts the second file's name and hash here (integrity.ts), and the companion its widget's origin (routes/script.ts of
    // packages/server).
    integrity: '__integrity__',
    purchaseWidget: { tag, widgetOrigin: '{widget-origin}', takeOver, follow },
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
  // A purchase that has gone on in its window is handed over too: the page gets its result.
  if (press && (!press.left || (press.left.includes('purchase=') && press.view && isAway(press.view)))) {
    endWait()
    callbacks.push(() => given(press))
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
  const { view, href, left, pressed: before } = waiting ?? {}
  // A click no longer counts once its window is closed or back on this site, or after one on another link or button.
  if (view ? !isAway(view) : left ? href !== (pressed as HTMLAnchorElement).href : before !== pressed)
    endWait()
  if (waiting) {
    if (view) view.focus()
    else if (left) location.href = left
  } else if (handle) handle({ pressed })
  else takePress(pressed)
  load()
}

/** The browser handles a link that opens another tab or window, and a click that another script has handled. */
const isForBrowser = (pressed: Element, event: MouseEvent): boolean =>
  event.defaultPrevented ||
  (isLink(pressed) &&
    (event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey ||
      pressed.hasAttribute('download') ||
      !['', '_self'].includes(pressed.target)))

/** An attribute of a link or button, or else of the script tag. */
const readData = (pressed: Element, name: string): string | null =>
  pressed.getAttribute(`data-${name}`) ?? tag.getAttribute(`data-${name}`)

const queryOf = (pressed: Element): URLSearchParams | undefined =>
  isLink(pressed) ? new URLSearchParams(pressed.search) : undefined

const stringsOf = (pressed: Element): WidgetStrings | undefined =>
  stringsIn(readData(pressed, 'locale') ?? queryOf(pressed)?.get('locale'))

/** Opens a click's window, which browsers allow in the click alone, and waits for the second file. */
function takePress(pressed: Element): void {
  const mode = readData(pressed, 'mode')
  const link = queryOf(pressed)
  const asPopup = mode === 'popup'
  const isRedirect = mode === 'redirect'
  const asTab = isRedirect && (readData(pressed, 'redirect-page') ?? link?.get('redirect_page')) === 'new'
  // Needs no second file, unless an earlier purchase may be under way.
  if (isRedirect && !asTab && link && !storedPurchaseId()) {
    follow({ pressed })
    return
  }
  const name = newName()
  const view = asPopup || asTab ? openWindow('', name, asPopup ? popupFeatures : '') : undefined
  const press: Press = { pressed, view, name, asPopup }
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
  const { pressed, view, asPopup } = press
  endWait()
  // Prevents double payment: an earlier purchase of this tab may be under way.
  const doubtful = storedPurchaseId()
  if (!doubtful && isLink(pressed) && navigator.onLine) {
    const url = new URL(pressed.href)
    const isOurs = url.origin === origin
    // A purchase of this site's companion gets an id, as in the second stage, so that this tab can ask about it after a reload.
    if (isOurs && isSecureContext && url.pathname.endsWith('/launch')) {
      const id = randomId()
      url.searchParams.set('purchase', id)
      url.searchParams.set('surface', view && asPopup ? 'popup' : 'redirect')
      storePurchaseId(id)
    }
    // Neither another site's page nor a tab of its own may navigate this one.
    if (view && !(isOurs && asPopup)) view.opener = null
    waiting = { ...press, href: pressed.href, left: url.href }
    ;(view ?? window).location.href = url.href
  } else {
    view?.close()
    showNotStarted(stringsOf(pressed), doubtful)
  }
}

interface Policies {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): string }
}

let policy: ReturnType<Policies['createPolicy']> | undefined

/** An address in the form that a page with Trusted Types accepts: by a policy with the loader's name, of which a page may have only one. */
function trusted(url: string): string {
  policy ??= (window as { trustedTypes?: Policies }).trustedTypes?.createPolicy('purchase-widget', {
    createScriptURL: (given: string) => given,
  })
  return policy?.createScriptURL(url) ?? url
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

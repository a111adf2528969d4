/**
 * The script tag: a small first file that handles clicks. The second file, beside it, does the rest; it loads when the page is idle, after two
 * seconds, or in the click.
 *
 * If the second file fails, or has not loaded three seconds after the click, the browser follows a link. A button has no address: it waits.
 */
import { pageOf, sharedGlobal } from '../names.ts'
import { showConnecting, showNotStarted } from '../notice.ts'
import { openWindow } from '../opening/click.ts'
import { randomId } from '../opening/link.ts'
import { storedPurchaseId, storePurchaseId } from '../outcome/kept.ts'
import { newName } from '../surfaces/address.ts'
import type { Mode, WidgetStrings } from '../types.ts'
import { type Handle, isLink, type Press, pressedElement, type RestScript, stringsIn } from './press.ts'

const shared: { ready?(callback: () => void): void } = sharedGlobal()
const page = pageOf()
// Anything else starts nothing, as the last lines say.
const tag = page.currentScript as HTMLScriptElement

/** What waits for the API. */
const callbacks: (() => void)[] = []
/** The click that waits for the second file: one purchase at a time. */
let waiting: Press | undefined
let hideNotice = (): void => {}
/** The window that a link has opened without the second file: until it is closed, the link opens no other. */
let followed: { view: Window; href: string } | undefined
/** The second file's function, once that file has loaded. */
let handle: Handle | undefined
/** The second file, until its request fails. */
let requested: RestScript | undefined
let tries = 0
const MAX_TRIES = 5

function load(): void {
  if (requested) return
  const script: RestScript = Object.assign(page.createElement('script'), {
    nonce: tag.nonce,
    crossOrigin: 'anonymous',
    // The build inserts the second file's name and hash here (integrity.ts), and the companion its widget's origin (routes/script.ts of
    // packages/server).
    integrity: '__integrity__',
    purchaseWidget: { tag, widgetOrigin: '{widget-origin}', takeOver, follow },
    onerror: failIfLast,
  })
  // An earlier request may have hung until now.
  function failIfLast(): void {
    if (requested === script && !handle) fail()
  }
  requested = script
  try {
    // Browsers may remember an address that has failed to load.
    script.src = trusted(new URL(`__rest__${tries++ ? `?${tries}` : ''}`, tag.src).href)
    page.head.append(script)
    // A request may hang.
    setTimeout(failIfLast, 15_000)
  } catch {
    // The page's policy forbids scripts to add scripts.
    fail()
  }
}

/** The waiting click follows its link. The file is requested a few times more, then by each click, each call of `ready`, and with a new network. */
function fail(): void {
  requested = undefined
  followWaiting()
  if (tries < MAX_TRIES) setTimeout(load, 1_000 * tries ** 2)
}

function takeOver(given: Handle): void {
  handle = given
  const press = endWait()
  // Each runs in its own microtask, so that one that throws does not stop the others.
  for (const callback of callbacks) queueMicrotask(callback)
  if (press) queueMicrotask(() => given(press))
}

function wait(press: Press): void {
  waiting = press
  press.pressed.ariaBusy = 'true'
  setTimeout(() => {
    if (waiting !== press) return
    if (isLink(press.pressed)) followWaiting()
    else hideNotice = showConnecting(stringsOf(press.pressed), press.click?.view)
  }, 3_000)
}

/** Returns the click that has waited. */
function endWait(): Press | undefined {
  const press = waiting
  if (press) press.pressed.ariaBusy = null
  waiting = undefined
  hideNotice()
  return press
}

function followWaiting(): void {
  const press = endWait()
  if (press) follow(press)
}

function onClick(event: MouseEvent): void {
  const pressed = pressedElement(event)
  if (!pressed || isForBrowser(pressed, event)) return
  if (isLink(pressed) && followed?.href === pressed.href && !followed.view.closed) {
    event.preventDefault()
    followed.view.focus()
    return
  }
  if (handle) {
    event.preventDefault()
    return void handle({ pressed, click: undefined })
  }
  // A window that the shopper has closed no longer counts.
  if (waiting?.click?.view?.closed) endWait()
  waiting?.click?.view?.focus()
  event.preventDefault()
  const press = waiting ?? takePress(pressed)
  if (!press) return
  if (!waiting) wait(press)
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

/** Opens a click's window, which browsers allow in the click alone. Undefined if this tab leaves for the link at once. */
function takePress(pressed: Element): Press | undefined {
  const mode = readData(pressed, 'mode')
  const link = queryOf(pressed)
  const asTab =
    mode === 'redirect' && (readData(pressed, 'redirect-page') ?? link?.get('redirect_page')) === 'new'
  // Needs no second file, unless an earlier purchase may be under way.
  if (mode === 'redirect' && !asTab && link && !storedPurchaseId())
    return void follow({ pressed, click: undefined })
  if (mode !== 'popup' && !asTab) return { pressed, click: undefined }
  const name = newName()
  return { pressed, click: { view: openWindow('', name, !asTab), name, target: undefined } }
}

/** Navigates to the click's link; without a link or a network the shopper reads that nothing was opened. */
function follow({ pressed, click }: Press): void {
  // Prevents double payment: an earlier purchase of this tab may be under way.
  const isSafe = !storedPurchaseId()
  if (isSafe && isLink(pressed) && navigator.onLine) {
    const url = new URL(pressed.href)
    const view = click?.view
    if (view) followed = { view, href: pressed.href }
    if (url.origin === origin)
      addId(url, view && readData(pressed, 'mode') === 'popup' ? 'popup' : 'redirect')
    // Another site's page must not navigate this one.
    else if (view) view.opener = null
    ;(view ?? window).location.href = url.href
  } else {
    click?.view?.close()
    showNotStarted(stringsOf(pressed), isSafe)
  }
}

/** A purchase of this site's companion gets an id, as in the second stage, so that this tab can ask about it after a reload. */
function addId({ pathname, searchParams }: URL, surface: Mode): void {
  if (!isSecureContext || !pathname.endsWith('/launch')) return
  const id = randomId()
  searchParams.set('purchase', id)
  searchParams.set('surface', surface)
  storePurchaseId(id)
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
  addEventListener('pagehide', () => waiting?.click || endWait())
  window.requestIdleCallback?.(load, { timeout: 2_000 }) ?? setTimeout(load)
}

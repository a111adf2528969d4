/**
 * The script tag: a small first file that handles clicks. The second file, beside it, does the rest; it loads when the page is idle, after two
 * seconds, or in the click.
 *
 * If the second file fails, or has not loaded three seconds after the click, the browser follows a link. A button has no address: it waits.
 */
import { pageOf, sharedGlobal } from '../names.ts'
import { connecting, showNotice, showNotStarted } from '../notice.ts'
import { openWindow } from '../opening/click.ts'
import { KEY, storedPurchaseId } from '../outcome/kept.ts'
import { newName } from '../surfaces/address.ts'
import type { WidgetStrings } from '../types.ts'
import {
  isForBrowser,
  isLink,
  type Press,
  pressedElement,
  type Queue,
  type RestScript,
  stringsIn,
} from './press.ts'

const shared: { ready?(callback: () => void): void } = sharedGlobal()
const page = pageOf()
const tag = page.currentScript

function start(tag: HTMLScriptElement): void {
  const callbacks: (() => void)[] = []
  const waiting = createWaitingPress()
  const over = new AbortController()
  const { signal } = over
  let script: RestScript | undefined
  let tries = 0
  shared.ready = (callback) => {
    callbacks.push(callback)
    if (tries) load()
  }

  function load(): void {
    if (script) return
    script = Object.assign(page.createElement('script'), {
      nonce: tag.nonce,
      crossOrigin: 'anonymous',
      // The build inserts the second file's name and hash here (integrity.ts), and the companion its widget's origin (routes/script.ts of
      // packages/server).
      integrity: '__integrity__',
      purchaseWidget: { tag, widgetOrigin: '{widget-origin}', takeOver },
      onerror: fail,
    })
    try {
      // Browsers may remember an address that has failed to load.
      script.src = trusted(new URL(`__rest__${tries++ ? `?${tries}` : ''}`, tag.src).href)
      page.head.append(script)
    } catch {
      // The page's policy forbids scripts to add scripts.
      fail()
    }
  }

  /** The waiting click follows its link; the next click retries. */
  function fail(): void {
    script = undefined
    waiting.follow()
    // No click will retry for a callback, or for the result of an earlier purchase.
    if (tries < MAX_TRIES && (callbacks.length || hasReturned() || storedPurchaseId()))
      setTimeout(load, tries * 1_000)
  }

  function takeOver(): Queue {
    over.abort()
    const press = waiting.take()
    return [...callbacks.splice(0), ...(press ? [press] : [])]
  }

  const onClick = (event: MouseEvent): void => {
    const pressed = pressedElement(event)
    if (!pressed || isForBrowser(pressed, event)) return
    // A window that the shopper has closed no longer counts.
    if (waiting.press()?.click?.view?.closed) waiting.clear()
    const before = waiting.press()
    before?.click?.view?.focus()
    const press = before ?? takePress(pressed)
    if (!press) return
    event.preventDefault()
    if (!before) waiting.set(press)
    load()
  }
  page.addEventListener('click', onClick, { signal })
  // A shopper who leaves the page and comes back has not clicked again.
  addEventListener('pagehide', () => waiting.press()?.click || waiting.clear(), { signal })
  // Not `storedPurchaseId()`: the first access to storage takes milliseconds (M10 of docs/measurements.md), which every page would pay.
  if (hasReturned()) load()
  else window.requestIdleCallback?.(load, { timeout: 2_000 }) ?? setTimeout(load)
}

/** The click that waits for the second file: one purchase at a time. */
function createWaitingPress() {
  let press: Press | undefined
  let undo = (): void => {}

  function take(): Press | undefined {
    const taken = press
    press = undefined
    undo()
    return taken
  }

  function followIt(): void {
    const taken = take()
    if (taken) follow(taken)
  }

  function late({ pressed }: Press): void {
    if (isLink(pressed)) followIt()
    else undo = showNotice(stringsOf(pressed)?.connecting ?? connecting)
  }

  return {
    press: () => press,
    take,
    follow: followIt,
    set(next: Press): void {
      press = next
      setTimeout(() => press === next && late(next), 3_000)
    },
    clear(): void {
      const taken = take()
      if (taken) taken.pressed.ariaBusy = null
    },
  }
}

/** How many times the file is requested without a click. */
const MAX_TRIES = 5

/** Whether this may be the page to which a purchase returns, which has a result to report. */
const hasReturned = (): boolean => /purchase/.test(location.href) || !!history.state?.[KEY]

/** An attribute of a link or button, or else of the script tag. */
const readData = (pressed: Element, name: string): string | null | undefined =>
  pressed.getAttribute(`data-${name}`) ?? tag?.getAttribute(`data-${name}`)

const stringsOf = (pressed: Element): WidgetStrings | undefined => stringsIn(readData(pressed, 'locale'))

/** Opens a click's window, which browsers allow in the click alone. Undefined if the browser handles the click itself. */
function takePress(pressed: Element): Press | undefined {
  const mode = readData(pressed, 'mode')
  const link = isLink(pressed) ? new URLSearchParams(pressed.search) : undefined
  const asTab =
    mode === 'redirect' && (readData(pressed, 'redirect-page') ?? link?.get('redirect_page')) === 'new'
  // Left alone, the link navigates this tab to the widget; not while an earlier purchase may be under way.
  if (mode === 'redirect' && !asTab && link && !storedPurchaseId()) return undefined
  pressed.ariaBusy = 'true'
  if (mode !== 'popup' && !asTab) return { pressed, click: undefined }
  const name = newName()
  return { pressed, click: { view: openWindow('', name, !asTab), name, target: undefined } }
}

/** Navigates to the click's link; without a link or a network the shopper reads that nothing was opened. */
function follow({ pressed, click }: Press): void {
  pressed.ariaBusy = null
  // Prevents double payment: an earlier purchase of this tab may be under way.
  const isSafe = !storedPurchaseId()
  if (isSafe && isLink(pressed) && navigator.onLine) (click?.view ?? window).location.href = pressed.href
  else {
    click?.view?.close()
    showNotStarted(stringsOf(pressed), isSafe)
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
if (!Object.hasOwn(shared, 'ready') && tag instanceof HTMLScriptElement) start(tag)

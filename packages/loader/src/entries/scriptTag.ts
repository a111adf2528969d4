/**
 * The script tag: a small first file that takes clicks. The second, beside it, does the rest; it is loaded when the page is idle, after two
 * seconds, or in the click.
 *
 * A link whose second file fails, or is not there three seconds after the click, is followed. A button has nowhere to lead: it waits.
 */
import { own, pageOf, sharedGlobal } from '../names.ts'
import { connecting, notice, sayMissing } from '../notice.ts'
import { openWindow } from '../opening/click.ts'
import { KEY, kept } from '../outcome/kept.ts'
import { newName } from '../surfaces/address.ts'
import type { WidgetStrings } from '../types.ts'
import { isForBrowser, isLink, type Press, pressedIn, type Queue, type RestScript } from './press.ts'

const shared: {
  ready?(callback: () => void): void
  /** Of the language files. */
  strings?: Record<string, WidgetStrings>
} = sharedGlobal()
const page = pageOf()
const tag = page.currentScript

function start(tag: HTMLScriptElement): void {
  const callbacks: (() => void)[] = []
  const waiting = createWaiting()
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
      // The build puts name and hash of the second file here (integrity.ts), the companion its widget's origin (routes/script.ts of
      // packages/server).
      integrity: '__integrity__',
      purchaseWidget: { tag, widgetOrigin: '{widget-origin}', takeOver },
      onerror: fail,
    })
    try {
      // Browsers may remember an address that has failed.
      script.src = trusted(new URL(`__rest__${tries++ ? `?${tries}` : ''}`, tag.src).href)
      page.head.append(script)
    } catch {
      // The page's policy lets no script add another.
      fail()
    }
  }

  /** What waits goes by its link; the next click tries again. */
  function fail(): void {
    script = undefined
    waiting.follow()
    // A callback, and the result of an earlier purchase, have no click to come.
    if (tries < TRIES && (callbacks.length || hasReturned() || kept())) setTimeout(load, tries * 1_000)
  }

  function takeOver(): Queue {
    over.abort()
    const press = waiting.take()
    return [...callbacks.splice(0), ...(press ? [press] : [])]
  }

  const onClick = (event: MouseEvent): void => {
    const pressed = pressedIn(event)
    if (!pressed || isForBrowser(pressed, event)) return
    // A window that the shopper has closed counts no more.
    if (waiting.press()?.click?.view?.closed) waiting.forget()
    const before = waiting.press()
    before?.click?.view?.focus()
    const press = before ?? takePress(tag, pressed)
    if (!press) return
    event.preventDefault()
    if (!before) waiting.keep(press)
    load()
  }
  page.addEventListener('click', onClick, { signal })
  // Whoever leaves the page, and comes back to it, has not clicked again.
  addEventListener('pagehide', () => waiting.press()?.click || waiting.forget(), { signal })
  // Not `kept()`: the first look into storage takes milliseconds (M10 of docs/measurements.md), which every page would pay.
  if (hasReturned()) load()
  else window.requestIdleCallback?.(load, { timeout: 2_000 }) ?? setTimeout(load)
}

/** The click that waits for the second file: one purchase at a time. */
function createWaiting() {
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
    else undo = notice(strings()?.connecting ?? connecting)
  }

  return {
    press: () => press,
    take,
    follow: followIt,
    keep(next: Press): void {
      press = next
      setTimeout(() => press === next && late(next), 3_000)
    },
    forget(): void {
      const taken = take()
      if (taken) taken.pressed.ariaBusy = null
    },
  }
}

/** How often the file is asked for without a click. */
const TRIES = 5

/** The page that a purchase returns to has something to say. */
const hasReturned = (): boolean => /purchase/.test(location.href) || !!history.state?.[KEY]

/** Opens a click's window, which a browser does in the click alone. Undefined for what is the browser's own business. */
function takePress(tag: Element, pressed: Element): Press | undefined {
  const read = (name: string): string | null => pressed.getAttribute(name) ?? tag.getAttribute(name)
  const mode = read('data-mode')
  const link = isLink(pressed) ? new URLSearchParams(pressed.search) : undefined
  const asTab = mode === 'redirect' && (read('data-redirect-page') ?? link?.get('redirect_page')) === 'new'
  // By itself the link leads this tab to the widget; not while an earlier purchase may be under way.
  if (mode === 'redirect' && !asTab && link && !kept()) return undefined
  pressed.ariaBusy = 'true'
  if (mode !== 'popup' && !asTab) return { pressed, click: undefined }
  const name = newName()
  return { pressed, click: { view: openWindow('', name, !asTab), name, target: undefined } }
}

/** Leads a click where its link leads; without a link or a network the shopper reads that nothing was opened. */
function follow({ pressed, click }: Press): void {
  pressed.ariaBusy = null
  // Nobody pays twice: an earlier purchase of this tab may be under way.
  const isSafe = !kept()
  if (isSafe && isLink(pressed) && navigator.onLine) (click?.view ?? window).location.href = pressed.href
  else {
    click?.view?.close()
    sayMissing(strings(), isSafe)
  }
}

/** What the language files say in the page's language. */
const strings = (): WidgetStrings | undefined => own(shared).strings?.[page.documentElement.lang]

interface Policies {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): string }
}

let policy: ReturnType<Policies['createPolicy']> | undefined

/** An address as a page with Trusted Types takes it: by a policy of the loader's name, of which a page may have one. */
function trusted(url: string): string {
  policy ??= (window as { trustedTypes?: Policies }).trustedTypes?.createPolicy('purchase-widget', {
    createScriptURL: (given: string) => given,
  })
  return policy?.createScriptURL(url) ?? url
}

// A page may load the file twice.
if (!Object.hasOwn(shared, 'ready') && tag instanceof HTMLScriptElement) start(tag)

/** The script tag's second file: links and buttons with `data-purchase-widget`, results on return pages, and the global `PurchaseWidget`. */
import { dispatch, forwardEvents, ofPage, ofPurchase, readOptions } from '../attributes.ts'
import { invalid, isWidgetError } from '../errors.ts'
import { isUnderWay } from '../events.ts'
import { nullProto, pageOf, sharedGlobal } from '../names.ts'
import type { Click } from '../opening/click.ts'
import { absolute, parseOptions } from '../opening/options.ts'
import { getPendingResult } from '../outcome/pending.ts'
import { createSession } from '../session.ts'
import type { PurchaseResult, PurchaseWidgetOptions, WidgetError } from '../types.ts'
import { routeOf, safeOrigin } from '../url.ts'
import { createWidget, type Widget } from '../widget.ts'
import { type Handover, isLink, type Press, pressedElement, type RestScript, stringsIn } from './press.ts'
import { announceReturn, readPage } from './return.ts'
import { createPurchaseWidget } from './sync.ts'

const script = pageOf().currentScript as RestScript | null
/** From the first file; a page that loads this file directly has no script tag. */
const { tag, widgetOrigin, takeOver, follow }: Partial<Handover> = nullProto(script?.purchaseWidget ?? {})

/** A widget, and the link or button that has opened it last. */
interface Entry {
  widget: Widget
  pressed: Element
}

const entries = new WeakMap<Element, Entry>()
/** The open and preloaded ones, by their options: the page may replace an element in the middle of its purchase, and the new one must not begin another. */
const open = new Map<string, Entry>()
/** The newest result. */
let reported: PurchaseResult | undefined

/** The companion that serves this file, unless the page names another. */
const folder = tag?.src ? new URL('.', tag.src).href.slice(0, -1) : undefined

/** The options of the script tag; if it names no source, the companion that served the script. */
function readTagged(): Partial<PurchaseWidgetOptions> {
  const options: Partial<PurchaseWidgetOptions> = tag ? readOptions('data-', tag, ofPage) : nullProto({})
  if (!folder || options.widgetUrl || (options.companion ?? folder) !== folder) return options
  const own = { companion: folder, widgetOrigin: safeOrigin(widgetOrigin) }
  return nullProto({ ...own, ...options } as PurchaseWidgetOptions)
}

const withoutQuery = (url: string): string => url.replace(/[?#].*/, '')

/** @throws WidgetError `invalid_options` for a link that leads anywhere but to the launch address. */
function checkLink({ href }: HTMLAnchorElement, { companion, launchUrl }: PurchaseWidgetOptions): void {
  const launch = companion ? routeOf(companion, 'launch') : launchUrl
  if (launch && withoutQuery(href) !== withoutQuery(absolute(launch))) invalid('href')
}

/** The query of a link has the form that `/launch` takes: parameters, and two options. Attributes take precedence. */
function optionsOf(pressed: Element): PurchaseWidgetOptions {
  const {
    locale,
    redirect_page: redirectPage,
    ...params
  } = nullProto<Record<string, string>>(
    isLink(pressed) ? Object.fromEntries(new URLSearchParams(pressed.search)) : {},
  )
  const tagged = readTagged()
  const set = readOptions('data-', pressed, ofPurchase)
  const options = nullProto({ locale, redirectPage, ...tagged, ...set } as PurchaseWidgetOptions)
  const strings = stringsIn(options.locale)
  return nullProto({
    ...options,
    params: { ...params, ...tagged.params, ...set.params },
    ...(strings && { strings }),
  })
}

/** The widget of a link or button, with its current options. */
function make(pressed: Element, options: PurchaseWidgetOptions, key: string): Entry {
  if (isLink(pressed)) checkLink(pressed, options)
  const same = open.get(key)
  const replaced = same?.pressed.isConnected ? undefined : same
  const known = entries.get(pressed) ?? replaced
  // A purchase stays as it was opened.
  if (known && !isUnderWay(known.widget.getSnapshot())) known.widget.update(options)
  const entry = known ?? { pressed, widget: createWidget(options, createSession) }
  // Throws for options that must not be opened; a link is then followed.
  parseOptions(options)
  entries.set(pressed, entry)
  if (!known) {
    forwardEvents(entry.widget, () => (entry.pressed.isConnected ? entry.pressed : document))
    // By the time the promise has resolved, `dispatchEarlier` has compared.
    entry.widget.on('result', (result) => {
      reported = result
    })
  }
  return entry
}

/** Loads the widget before the click. What was loaded for an element that the page has removed since is shown by an equal one, or removed. */
function preload(pressed: Element, options: PurchaseWidgetOptions): void {
  const key = JSON.stringify(options)
  const entry = make(pressed, options, key)
  if (!entry.pressed.isConnected) entry.pressed = pressed
  if (!open.has(key)) open.set(key, entry)
  for (const [other, { pressed, widget }] of open) {
    if (pressed.isConnected || isUnderWay(widget.getSnapshot())) continue
    open.delete(other)
    widget.destroy()
  }
  entry.widget.preload()
}

/** What the click has opened, and, if its window has left, the purchase that it shows. */
function clickOf({ view, name = '', left }: Press, widgetOrigin?: string): Click | undefined {
  if (view === undefined) return undefined
  const purchaseId = left && new URL(left).searchParams.get('purchase')
  if (!purchaseId) return { view, name }
  const until = Infinity
  const origin = `${widgetOrigin}`
  return { view, name, target: { purchaseId, origin, url: left, byLink: true, until, shownUntil: until } }
}

/**
 * Opens the widget; the link or button is busy until the result. A link with options that can't be opened is followed, so that the sale goes on;
 * at a button the shopper reads that nothing was opened.
 *
 * @throws WidgetError `invalid_options`, which is also dispatched as a result.
 */
function press(given: Press): void {
  const { pressed, view, left } = given
  try {
    const options = optionsOf(pressed)
    const key = JSON.stringify(options)
    const entry = make(pressed, options, key)
    entry.pressed = pressed
    open.set(key, entry)
    pressed.ariaBusy = 'true'
    entry.widget.take(clickOf(given, options.widgetOrigin)).then((result) => {
      if (open.get(key) === entry) open.delete(key)
      pressed.ariaBusy = null
      if (result.status === 'error' && result.error.code === 'invalid_options') follow?.({ pressed })
    })
  } catch (error) {
    dispatch(pressed, 'result', { status: 'error', error: error as WidgetError })
    // A window that already shows the purchase goes on.
    if (!left) {
      view?.close()
      follow?.({ pressed })
    }
    throw error
  }
}

const whenParsed = async (): Promise<void> => {
  if (pageOf().readyState === 'loading')
    await new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
}

/** Whether this is the return page of a purchase, and not the companion's own. */
function isReturnPage(): boolean {
  // Most pages are not: reading an address with all its patterns is the costly part of this file's start.
  if (!location.href.includes('purchase') && !history.state) return false
  const { info, base } = readPage()
  return !!info.purchaseId && base === undefined
}

/** The result of the purchase that this tab had open when the page was reloaded. An unreachable server is not reported. */
async function pendingResult(): Promise<PurchaseResult | null> {
  await whenParsed()
  const { companion, ...options } = readTagged()
  if (!companion) return null
  const strings = stringsIn(options.locale)
  const result = await getPendingResult({ ...options, companion, ...(strings && { strings }) })
  return result?.status === 'unknown' ? null : result
}

async function dispatchEarlier(earlier: Promise<PurchaseResult | null>): Promise<void> {
  const result = await earlier
  // Listeners may be added after this file has run.
  await whenParsed()
  // A click meanwhile may have continued the same purchase.
  if (!result || result === reported) return
  reported = result
  dispatch(document, 'result', result)
}

const shared = sharedGlobal()
// A request that has hung may be answered after the file has loaded from its second address.
if (!Object.hasOwn(shared, 'createPurchaseWidget')) {
  Object.assign(shared, { announceReturn, createPurchaseWidget, getPendingResult, isWidgetError })
  // A touch also fires `pointerover`.
  for (const type of ['pointerover', 'focusin'] as const)
    pageOf().addEventListener(type, (event) => {
      const pressed = pressedElement(event)
      if (!pressed) return
      const options = optionsOf(pressed)
      if (options.preload === 'intent' || options.preload === 'eager') preload(pressed, options)
    })
  takeOver?.(press)
  // The result of the purchase from which this page returns, or during which it was reloaded.
  void dispatchEarlier(isReturnPage() ? announceReturn(readTagged()).result : pendingResult())
  // A page that the history restores may have been left for a payment.
  addEventListener('pageshow', ({ persisted }) => persisted && dispatchEarlier(pendingResult()))
}

/** The script tag's second file: links and buttons with `data-purchase-widget`, results on return pages, and the global `PurchaseWidget`. */
import { dispatch, forwardEvents, ofPage, ofPurchase, readOptions } from '../attributes.ts'
import { invalid, isWidgetError } from '../errors.ts'
import { nullProto, pageOf, sharedGlobal } from '../names.ts'
import { absolute, parseOptions } from '../opening/options.ts'
import { getPendingResult } from '../outcome/pending.ts'
import { createSession } from '../session.ts'
import { openLink } from '../surfaces/address.ts'
import type { PurchaseResult, PurchaseWidgetOptions, WidgetError } from '../types.ts'
import { routeOf, safeOrigin } from '../url.ts'
import { createWidget, type Widget } from '../widget.ts'
import { type Handover, isLink, type Press, pressedElement, type RestScript, stringsIn } from './press.ts'
import { announceReturn, readPage } from './return.ts'
import { createPurchaseWidget } from './sync.ts'

const script = pageOf().currentScript as RestScript | null
/** From the first file; a page that loads this file directly has no script tag. */
const { tag, widgetOrigin, takeOver }: Partial<Handover> = nullProto(script?.purchaseWidget ?? {})
const widgets = new WeakMap<Element, Widget>()

/** The companion that serves this file, unless the page names another. */
const folder = tag?.src ? new URL('.', tag.src).href.slice(0, -1) : undefined

/** The options of the script tag; if it names no source, the companion that served the script. */
function readTagged(): Partial<PurchaseWidgetOptions> {
  const options: Partial<PurchaseWidgetOptions> = tag ? readOptions('data-', tag, ofPage) : nullProto({})
  if (!folder || options.widgetUrl || (options.companion ?? folder) !== folder) return options
  const known = safeOrigin(widgetOrigin)
  return nullProto({
    companion: folder,
    ...(known && { widgetOrigin: known }),
    ...options,
  } as PurchaseWidgetOptions)
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
function make(pressed: Element): Widget {
  const options = optionsOf(pressed)
  if (isLink(pressed)) checkLink(pressed, options)
  const known = widgets.get(pressed)
  known?.update(options)
  const widget = known ?? createWidget(options, createSession)
  // Throws for options that must not be opened; a link is then followed.
  parseOptions(options)
  if (known) return known
  widgets.set(pressed, widget)
  // The page may replace the element in the middle of a purchase.
  forwardEvents(widget, () => (pressed.isConnected ? pressed : document))
  return widget
}

/** What the browser would have done, had the script not withheld the click. */
function followLink(pressed: Element): void {
  if (isLink(pressed)) openLink(pressed.href)
}

/**
 * Opens the widget; the link or button is busy until the result. A link with options that can't be opened is followed, so that the sale goes on.
 *
 * @throws WidgetError `invalid_options`, which is also dispatched as a result.
 */
function press({ pressed, click }: Press): void {
  try {
    const opened = make(pressed).open(click && { click })
    pressed.ariaBusy = 'true'
    opened.then((result) => {
      pressed.ariaBusy = null
      if (result.status === 'error' && result.error.code === 'invalid_options') followLink(pressed)
    })
  } catch (error) {
    dispatch(pressed, 'result', { status: 'error', error: error as WidgetError })
    click?.view?.close()
    followLink(pressed)
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

/** Dispatches the result of the purchase from which this page returns, or during which it was reloaded. */
async function dispatchEarlierResult(): Promise<void> {
  const result = await (isReturnPage() ? announceReturn(readTagged()).result : pendingResult())
  // Listeners may be added after this file has run.
  await whenParsed()
  if (result) dispatch(document, 'result', result)
}

Object.assign(sharedGlobal(), { announceReturn, createPurchaseWidget, getPendingResult, isWidgetError })
// A touch also fires `pointerover`.
for (const type of ['pointerover', 'focusin'] as const)
  pageOf().addEventListener(type, (event) => {
    const pressed = pressedElement(event)
    if (pressed && optionsOf(pressed).preload === 'intent') make(pressed).preload()
  })
takeOver?.(press)
void dispatchEarlierResult()

/**
 * `<purchase-widget companion="/api/purchase-widget" param-product_id="gold-100">`, for frameworks without bindings of their own.
 *
 * Attributes are the options in kebab-case, and `param-*` the widget's parameters; values that are not text go into the property `options`.
 * In mode `iframe`, the default, the widget opens in the element as soon as the element is in the document; otherwise call `open()`.
 * Events bubble as `purchase-widget-{type}`.
 */
import { dispatch, forwardEvents, ofPage, readOptions } from '../attributes.ts'
import { createPurchaseWidget } from '../createPurchaseWidget.ts'
import { asError, widgetError } from '../errors.ts'
import { isUnderWay } from '../events.ts'
import { getPendingResult } from '../getPendingResult.ts'
import { nullProto } from '../names.ts'
import { modeOf } from '../opening/click.ts'
import type { PurchaseResult, PurchaseWidget, PurchaseWidgetOptions, WidgetError } from '../types.ts'

export type { PurchaseWidgetAttributes } from '../attributes.ts'

declare global {
  interface HTMLElementTagNameMap {
    'purchase-widget': PurchaseWidgetElement
  }
}

// On a server there are no elements; importing this file is safe there.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement

export class PurchaseWidgetElement extends Base {
  #widget: PurchaseWidget | undefined
  #given: Partial<PurchaseWidgetOptions> = takeEarlyOptions(this)
  #changes: MutationObserver | undefined
  /** Whether changed options wait for a result. */
  #areDue = false

  /** Options that attributes can't express, such as functions. They take precedence over attributes. */
  get options(): Partial<PurchaseWidgetOptions> {
    return this.#given
  }

  set options(options: Partial<PurchaseWidgetOptions>) {
    this.#given = options
    this.#update()
  }

  connectedCallback(): void {
    this.#changes ??= new MutationObserver(() => this.#update())
    this.#changes.observe(this, { attributes: true })
    // Frameworks set properties right after the element is in place.
    queueMicrotask(() => this.#update())
  }

  disconnectedCallback(): void {
    // An element that is only moved keeps its widget.
    queueMicrotask(() => {
      if (this.isConnected) return
      this.#changes?.disconnect()
      this.#widget?.destroy()
      this.#widget = undefined
    })
  }

  /** Opens the widget, or brings it to the front. Call it in the click, on an element in the document. Never rejects. */
  async open(): Promise<PurchaseResult> {
    const widget = this.#update()
    return 'status' in widget ? widget : widget.open()
  }

  close(): void {
    this.#widget?.close()
  }

  preload(): void {
    this.#widget?.preload()
  }

  /**
   * Creates the widget or updates its options. In mode `iframe` it opens, and opens again when they change after it has ended.
   *
   * Returns the widget, or the result that says why it cannot be opened.
   */
  #update(): PurchaseWidget | PurchaseResult {
    if (!this.isConnected) return refusal(widgetError('open_failed', 'The element is not in the document.'))
    const options = nullProto({
      mode: 'iframe',
      ...readOptions('', this, ofPage),
      ...this.#given,
    } as PurchaseWidgetOptions)
    const framed = modeOf({ mode: options.mode, container: this }) === 'iframe'
    const given = framed ? nullProto({ ...options, container: this } as PurchaseWidgetOptions) : options
    try {
      const changed = this.#widget?.update(given) ?? true
      const widget = this.#widget ?? this.#make(given)
      if (framed) this.#show(widget, given, changed || this.#areDue)
      return widget
    } catch (cause) {
      const result = refusal(asError(cause))
      queueMicrotask(() => dispatch(this, 'result', result))
      return result
    }
  }

  /** Opens with options that have changed. An open widget replaces its frame itself, but not while its result is looked up. */
  #show(widget: PurchaseWidget, options: PurchaseWidgetOptions, hasChanged: boolean): void {
    const state = widget.getSnapshot()
    this.#areDue = hasChanged && state.status === 'confirming'
    if (hasChanged && !isUnderWay(state)) void this.#open(widget, options)
  }

  /**
   * Opens without a click, and asks how the purchase ended during which the page was reloaded. If it is paid, or its payment is under way, the
   * widget ends with its result instead of opening; after a declined one it opens for another try.
   */
  async #open(widget: PurchaseWidget, options: PurchaseWidgetOptions): Promise<void> {
    let isPending = false
    const onPending = (): void => {
      isPending = true
    }
    const { companion } = options
    const asked = companion ? getPendingResult({ ...options, companion, onPending }) : null
    widget.open()
    const earlier = await asked
    if (earlier?.status !== 'failure' || isPending || widget !== this.#widget || told.has(earlier)) return
    told.add(earlier)
    dispatch(this, 'failure', earlier)
    dispatch(this, 'result', earlier)
  }

  #make(options: PurchaseWidgetOptions): PurchaseWidget {
    const widget = createPurchaseWidget(options)
    this.#widget = widget
    forwardEvents(widget, () => this)
    widget.on('result', () => {
      if (this.#areDue) this.#update()
    })
    return widget
  }
}

/** Results of earlier purchases that an element has reported: each element of the page asks. */
const told = new WeakSet<PurchaseResult>()

/** What a framework has set before this file was loaded: a property of the element itself, which would hide the one that reacts. */
function takeEarlyOptions(element: PurchaseWidgetElement): Partial<PurchaseWidgetOptions> {
  const early = Object.getOwnPropertyDescriptor(element, 'options')
  Reflect.deleteProperty(element, 'options')
  return early?.value ?? {}
}

const refusal = (error: WidgetError): PurchaseResult => ({ status: 'error', error })

globalThis.customElements?.get('purchase-widget') ??
  globalThis.customElements?.define('purchase-widget', PurchaseWidgetElement)

/**
 * `<purchase-widget companion="/api/purchase-widget" param-product_id="gold-100">`, for frameworks without bindings of their own.
 *
 * Attributes are the options in kebab-case, `param-*` the widget's parameters; what is no text goes into the property `options`.
 * In mode `iframe`, the default, the widget opens in the element as soon as that is in the document; otherwise call `open()`.
 * Events bubble as `purchase-widget-{type}`.
 */
import { dispatch, forwardEvents, readOptions } from '../attributes.ts'
import { createPurchaseWidget } from '../createPurchaseWidget.ts'
import { isWidgetError } from '../errors.ts'
import { own } from '../own.ts'
import type { PurchaseResult, PurchaseWidget, PurchaseWidgetOptions } from '../types.ts'

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
  #given: Partial<PurchaseWidgetOptions> = {}
  #key = ''
  #error: unknown
  #changes: MutationObserver | undefined

  /** Options that attributes can't express, such as functions. They win over attributes. */
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
      this.#drop()
    })
  }

  /** Opens the widget, or brings it to the front. Call it in the click. Never rejects. */
  open(): Promise<PurchaseResult> {
    this.#update()
    return this.#widget?.open() ?? this.#refuse()
  }

  close(): void {
    this.#widget?.close()
  }

  preload(): void {
    this.#widget?.preload()
  }

  async #refuse(): Promise<PurchaseResult> {
    const error = this.#error
    if (!isWidgetError(error)) throw error
    return { status: 'error', error }
  }

  /** Makes the widget anew when its options have another value; one that is under way elsewhere than in the page is kept until its result. */
  #update(): void {
    if (!this.isConnected) return
    const options = own({ mode: 'iframe', ...readOptions('', this), ...this.#given } as PurchaseWidgetOptions)
    for (const [name, value] of Object.entries(options))
      if (typeof value === 'function') Object.assign(options, { [name]: this.#newest(name, value) })
    const framed = options.mode === 'iframe'
    const key = JSON.stringify(options, (_, value) => (typeof value === 'function' ? 'function' : value))
    const state = this.#widget?.getSnapshot()
    const isElsewhere = state && 'mode' in state && state.mode !== 'iframe'
    if (key === this.#key || isElsewhere) return
    this.#drop()
    this.#key = key
    try {
      this.#widget = createPurchaseWidget(framed ? own({ ...options, container: this }) : options)
    } catch (error) {
      this.#error = error
      this.#refuse().then((result) => dispatch(this, 'result', result))
      return
    }
    const widget = this.#widget
    forwardEvents(widget, this)
    if (framed) widget.open()
  }

  /** A function that calls the one that was given last, or `first` where that was left out; a new function alone makes no new widget. */
  #newest(name: string, first: (input: unknown) => unknown): (input: unknown) => unknown {
    return (input) => ((this.#given as Record<string, typeof first>)[name] ?? first)(input)
  }

  #drop(): void {
    this.#widget?.destroy()
    this.#widget = undefined
    this.#key = ''
  }
}

globalThis.customElements?.get('purchase-widget') ??
  globalThis.customElements?.define('purchase-widget', PurchaseWidgetElement)

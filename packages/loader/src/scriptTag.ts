/** The script-tag build: buttons with `data-purchase-widget`, and the global `PurchaseWidget`. */
import { forwardEvents, readOptions, tellResult } from './attributes.ts'
import { createPurchaseWidget } from './createPurchaseWidget.ts'
import { isWidgetError } from './errors.ts'
import { resolveRedirect } from './state.ts'
import type { PurchaseWidget, WidgetError } from './types.ts'
import { buildWidgetUrl, parseReturnUrl } from './url.ts'

const api = {
  buildWidgetUrl,
  createPurchaseWidget,
  isWidgetError,
  parseReturnUrl,
  resolveRedirect,
  /** Calls back at once; the stub queues these calls until this file has loaded. */
  ready: (callback: () => void): void => callback(),
}

interface Stub {
  /** Callbacks, and buttons that were clicked. */
  q?: ((() => void) | Element)[] | undefined
}

const page = window as unknown as { PurchaseWidget?: Stub & Partial<typeof api> }
const tag = document.currentScript

/** A button's widget, with the options it was made of. */
const widgets = new WeakMap<Element, { key: string; widget: PurchaseWidget }>()

function widgetOf(button: Element): PurchaseWidget {
  const options = readOptions('data-', ...(tag ? [tag] : []), button)
  const key = JSON.stringify(options)
  const known = widgets.get(button)
  if (known?.key === key) return known.widget
  const widget = createPurchaseWidget(options)
  known?.widget.destroy()
  widgets.set(button, { key, widget })
  forwardEvents(widget, button)
  return widget
}

function press(button: Element): void {
  try {
    widgetOf(button)
      .open()
      .then((result) => tellResult(button, result))
  } catch (error) {
    tellResult(button, { status: 'error', error: error as WidgetError })
    throw error
  }
}

/** Calls `act` for events on a button, also one that is added later. */
const delegate = (type: string, act: (button: Element, event: Event) => void): void =>
  document.addEventListener(type, (event) => {
    const button = (event.target as Element).closest?.('[data-purchase-widget]')
    if (button) act(button, event)
  })

// A page may load the file twice.
if (!page.PurchaseWidget?.createPurchaseWidget) {
  const queue = page.PurchaseWidget?.q ?? []
  page.PurchaseWidget = Object.assign(page.PurchaseWidget ?? {}, api, { q: undefined })
  delegate('click', (button, event) => {
    event.preventDefault()
    press(button)
  })
  for (const type of ['pointerover', 'focusin', 'touchstart'])
    delegate(type, (button) => {
      const { preload = tag?.dataset.preload } = (button as HTMLElement).dataset
      if (preload === 'intent') widgetOf(button).preload()
    })
  for (const call of queue) {
    if (call instanceof Element) press(call)
    else call()
  }
}

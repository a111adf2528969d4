/** The script-tag build: buttons with `data-purchase-widget`, and the global `PurchaseWidget`. */
import { forwardEvents, readOptions, tellResult } from './attributes.ts'
import { createPurchaseWidget } from './createPurchaseWidget.ts'
import { isWidgetError } from './errors.ts'
import { ofDocument, sharedGlobal } from './names.ts'
import { own } from './own.ts'
import type { PurchaseWidget, PurchaseWidgetOptions, WidgetError } from './types.ts'
import { buildWidgetUrl, parseReturnUrl, resolveRedirect } from './url.ts'

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

const shared: Stub & Partial<typeof api> = sharedGlobal()
const tag = ofDocument('currentScript')

/** A button's widget, with the options it was made of. */
const widgets = new WeakMap<Element, { key: string; widget: PurchaseWidget }>()

const optionsOf = (button: Element): PurchaseWidgetOptions =>
  readOptions('data-', ...(tag ? [tag] : []), button)

function widgetOf(button: Element): PurchaseWidget {
  const options = optionsOf(button)
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
if (!Object.hasOwn(shared, 'createPurchaseWidget')) {
  const { q: queue = [] } = own(shared)
  Object.assign(shared, api, { q: undefined })
  delegate('click', (button, event) => {
    event.preventDefault()
    press(button)
  })
  for (const type of ['pointerover', 'focusin', 'touchstart'])
    delegate(type, (button) => {
      if (optionsOf(button).preload === 'intent') widgetOf(button).preload()
    })
  for (const call of queue) {
    if (call instanceof Element) press(call)
    else call()
  }
}

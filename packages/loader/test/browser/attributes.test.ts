// Promise: script/buttons
/** Options as attributes, and a widget's events as DOM events. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { forwardEvents, ofPage, ofPurchase, readOptions } from '../../src/attributes.ts'
import { createStore } from '../../src/emitter.ts'
import { widgetError } from '../../src/errors.ts'
import type { PurchaseWidget } from '../../src/index.ts'

function elementWith(attributes: Record<string, string>): HTMLElement {
  const element = document.createElement('div')
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}

test('attributes with the prefix are parsed as options of their types, and all others are ignored', () => {
  const element = elementWith({
    mode: 'iframe',
    'data-mode': 'popup',
    'data-load-timeout': '9000',
    'data-permissions': 'payment, camera',
    'data-unknown': 'x',
    'data-access-token': 'canary-token',
  })
  expect(readOptions('data-', element, ofPage)).toEqual({
    mode: 'popup',
    loadTimeout: 9000,
    permissions: ['payment', 'camera'],
    params: {},
  })
})

test.each([
  ['', true],
  ['true', true],
  ['false', false],
])('the flag page-token="%s" is read as %j', (value, pageToken) => {
  expect(readOptions('', elementWith({ 'page-token': value }), ofPage)).toMatchObject({ pageToken })
})

test('a link or button sets no address and no permission', () => {
  const element = elementWith({
    'data-mode': 'popup',
    'data-companion': '/elsewhere',
    'data-permissions': 'camera',
  })
  expect(readOptions('data-', element, ofPurchase)).toEqual({ mode: 'popup', params: {} })
})

test('parameters have their wire names, including those with capitals', () => {
  const element = elementWith({
    'data-param-product_id': 'gold-100',
    'data-param-clickid': 'c',
    'data-param-campaignid': 'd',
    'data-param-myclickid': 'e',
    'data-param-clickids': 'f',
    'data-a-param-b': 'g',
  })
  expect(readOptions('data-', element, ofPage)).toEqual({
    params: { product_id: 'gold-100', clickID: 'c', campaignID: 'd', myclickid: 'e', clickids: 'f' },
  })
})

/** A target that receives the events of a widget. */
function forwarded() {
  const store = createStore()
  const target = document.body.appendChild(document.createElement('div'))
  onTestFinished(() => target.remove())
  forwardEvents(store as unknown as PurchaseWidget, () => target)
  return { store, target }
}

test.each([true, false])(
  'preventDefault() on the DOM return event applies to the widget’s event too (called: %j)',
  (prevents) => {
    const { store, target } = forwarded()
    document.addEventListener('purchase-widget-return', (event) => prevents && event.preventDefault(), {
      once: true,
    })
    const info = { status: 'unknown', url: location.href } as const
    const event = Object.assign(new Event('return', { cancelable: true }), { info })
    store.emit('return', event)
    expect(event.defaultPrevented).toBe(prevents)
    target.addEventListener('purchase-widget-load', (load) => {
      load.preventDefault()
      expect(load.defaultPrevented).toBe(false)
    })
    store.emit('load', { mode: 'modal' })
  },
)

test('an error is also logged to the console, since a page may have no listener', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => logged.mockRestore())
  const error = widgetError('open_failed', 'No dialog here.')
  forwarded().store.emit('error', error)
  expect(logged.mock.calls).toEqual([[`open_failed: ${error.message}`]])
})

// Promise: loader/options
import { expect, onTestFinished, test, vi } from 'vitest'
import { english } from '../src/english.ts'
import { createPurchaseWidget as createFromOneFile } from '../src/entries/sync.ts'
import { createPurchaseWidget, isWidgetError, type PurchaseWidgetOptions } from '../src/index.ts'
import { parseOptions } from '../src/opening/options.ts'

import { wrongOptions } from './wrongOptions.ts'

const accessToken = 'token'
const widgetUrl = 'https://widget.example'

test('mode is iframe with a container, and modal without', () => {
  expect(parseOptions({ widgetUrl, accessToken, container: '#here' }).mode).toBe('iframe')
  expect(parseOptions({ widgetUrl, accessToken }).mode).toBe('modal')
})

test('a mode that does not exist, as an attribute may name one, is the default', () => {
  const source = { companion: '/c', mode: 'dialog' } as object as PurchaseWidgetOptions
  expect(parseOptions({ ...source, container: '#here' } as PurchaseWidgetOptions).mode).toBe('iframe')
  expect(parseOptions(source).mode).toBe('modal')
})

test('options that are missing or undefined have their defaults', () => {
  const { redirectPage, whenBlocked, preload, theme, loadTimeout, lang } = parseOptions({
    widgetUrl,
    accessToken,
    ...({ preload: undefined, theme: undefined } as object),
  })
  expect({ redirectPage, whenBlocked, preload, theme, loadTimeout, lang }).toEqual({
    redirectPage: 'self',
    whenBlocked: 'modal',
    preload: 'none',
    theme: 'system',
    loadTimeout: 15_000,
    lang: 'en',
  })
})

test('lang is the locale where strings are given, and English otherwise', () => {
  const others = { widgetUrl, accessToken, locale: 'de-AT' }
  expect(parseOptions(others).lang).toBe('en')
  expect(parseOptions({ ...others, strings: { title: 'Kauf' } }).lang).toBe('de-AT')
})

test.each<[string, object]>([
  ['companion', { companion: 'javascript:alert(1)' }],
  ['launchUrl', { launchUrl: '//user@evil.example', widgetUrl }],
  ['allowedReturnOrigins', { companion: '/c', allowedReturnOrigins: ['javascript:x'] }],
  ['allowedReturnOrigins', { companion: '/c', allowedReturnOrigins: ['shop.example'] }],
  ['loadTimeout', { companion: '/c', loadTimeout: Number('soon') }],
])('bad options are refused before anything opens, and the error names %s: %j', (name, options) => {
  let caught: unknown
  try {
    createPurchaseWidget(options as PurchaseWidgetOptions)
  } catch (error) {
    caught = error
  }
  expect(isWidgetError(caught) && caught).toMatchObject({
    code: 'invalid_options',
    recoverable: false,
    message: expect.stringContaining(name),
  })
})

const companion = '/c'

test.each<[string, object | null]>([
  ['options: pass an object', null],
  ['widgetUrl: leave it out', { companion, widgetUrl }],
  ['confirm: leave it out', { companion, confirm: async () => null }],
  ['headers: pass it only with companion', { widgetUrl, accessToken, headers: {} }],
  ['pageToken: pass it only with companion', { widgetUrl, accessToken, pageToken: true }],
  ['widgetOrigin: pass it only with companion', { widgetUrl, accessToken, widgetOrigin: widgetUrl }],
  ['params.base_amount: use <string>', { companion, params: { base_amount: 10 } }],
  ['params.other: use <string>', { companion, params: { other: {} } }],
  ['loadTimeout: use <positive number>', { companion, loadTimeout: 0 }],
  ['loadTimeout: use <positive number>', { companion, loadTimeout: -1 }],
  ['loadTimeout: use <positive number>', { companion, loadTimeout: Infinity }],
  ['popup.width: use <positive number>', { companion, mode: 'popup', popup: { width: '400' } }],
  ['popup.height: use <positive number>', { companion, mode: 'popup', popup: { height: 0 } }],
  ['popup.left: no such option', { companion, mode: 'popup', popup: { left: 1 } }],
  ['strings.cancle: no such option', { companion, strings: { cancle: 'No' } }],
  ['strings.cancel: use <string>', { companion, strings: { cancel: 1 } }],
])('in development, a mistake is named, with what to do: %s', (message, options) => {
  expect(() => createPurchaseWidget(options as PurchaseWidgetOptions)).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringMatching(`^${message}`) }),
  )
})

test('values that are undefined or null count as missing, inside an option too', () => {
  const options = {
    companion,
    widgetUrl: undefined,
    confirm: null,
    params: { product_id: undefined },
    popup: { width: undefined },
    strings: { cancel: undefined },
  }
  expect(() => createPurchaseWidget(options as object as PurchaseWidgetOptions)).not.toThrow()
  const { params, strings } = parseOptions(options as object as PurchaseWidgetOptions)
  expect(params).toEqual({})
  expect(strings).toEqual(english)
})

test.each([Number('15s'), 0, -1, Infinity, 2 ** 31])(
  'a loadTimeout of %d, which no timer can wait, is the default',
  (loadTimeout) => {
    expect(parseOptions({ companion, loadTimeout }).loadTimeout).toBe(15_000)
  },
)

test('a widget can be created on a server, without a page', () => {
  const widget = createPurchaseWidget({
    companion: '/api/purchase-widget',
    params: { redirect_url: 'https://shop.example/thanks' },
  })
  expect(widget.getSnapshot()).toEqual({ status: 'idle' })
})

test.each(['intent', 'eager'] as const)(
  'on a server, preload %s and preload() load nothing',
  async (preload) => {
    // As a test setup may have replaced it.
    const observe = vi.fn()
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe = observe
      },
    )
    onTestFinished(() => void vi.unstubAllGlobals())
    const token = vi.fn(async () => 'token')
    const options = { widgetUrl, accessToken: token, container: '#here', preload }
    for (const create of [createPurchaseWidget, createFromOneFile]) {
      const widget = create(options)
      widget.preload()
      expect(widget.update({ ...options, locale: 'de' })).toBe(true)
      await new Promise((resolve) => setTimeout(resolve))
      expect(widget.getSnapshot()).toEqual({ status: 'idle' })
      widget.destroy()
    }
    expect(observe).not.toHaveBeenCalled()
    expect(token).not.toHaveBeenCalled()
  },
)

test.each(wrongOptions)('options that do not compile throw an error that names %s', (name, make) => {
  expect(make).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(name) }),
  )
})

import { expect, test } from 'vitest'
import { createPurchaseWidget, isWidgetError, type PurchaseWidgetOptions } from '../src/index.ts'
import { parseOptions } from '../src/options.ts'

const accessToken = 'token'
const widgetUrl = 'https://widget.example'

test('mode is iframe with a container, and modal without', () => {
  expect(parseOptions({ widgetUrl, accessToken, container: '#here' }).mode).toBe('iframe')
  expect(parseOptions({ widgetUrl, accessToken }).mode).toBe('modal')
})

test('redirectPage is passed on as redirect_page only when it was given', () => {
  expect(parseOptions({ widgetUrl, accessToken }).params).toEqual({})
  expect(parseOptions({ widgetUrl, accessToken, redirectPage: 'new' }).params).toEqual({
    redirect_page: 'new',
  })
})

test('in redirect mode the loader opens the tab itself, so the widget must not open another', () => {
  const settings = parseOptions({ widgetUrl, accessToken, mode: 'redirect', redirectPage: 'new' })
  expect(settings.redirectPage).toBe('new')
  expect(settings.params.redirect_page).toBe('self')
})

test.each<[string, object]>([
  ['companion', {}],
  ['accessToken', { companion: '/c', accessToken, widgetUrl }],
  ['launchUrl', { companion: '/c', launchUrl: '/l' }],
  ['widgetUrl', { accessToken }],
  ['widgetUrl', { launchUrl: '/l' }],
  ['companion', { companion: 'javascript:alert(1)' }],
  ['launchUrl', { launchUrl: '//user@evil.example', widgetUrl }],
  ['mode', { companion: '/c', mode: 'window' }],
  ['redirectPage', { companion: '/c', redirectPage: '_blank' }],
  ['fallback', { companion: '/c', fallback: 'popup' }],
  ['preload', { companion: '/c', preload: true }],
  ['theme', { companion: '/c', theme: 'sepia' }],
  ['container', { companion: '/c', mode: 'iframe' }],
  ['allowedReturnOrigins', { companion: '/c', allowedReturnOrigins: ['javascript:x'] }],
])('bad options name %s and are refused before anything opens: %j', (name, options) => {
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

test('a widget can be made on a server, where there is no page', () => {
  const widget = createPurchaseWidget({
    companion: '/api/purchase-widget',
    params: { redirect_url: 'https://shop.example/thanks' },
  })
  expect(widget.getSnapshot()).toEqual({ status: 'idle' })
})

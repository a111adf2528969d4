// Promise: loader/addresses
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildWidgetUrl } from '../src/index.ts'
import { parseOptions } from '../src/opening/options.ts'
import { takeTarget } from '../src/opening/target.ts'
import { createRedirect } from '../src/surfaces/popup.ts'
import type { Host } from '../src/surfaces/surface.ts'

const widgetUrl = 'https://widget.example'

test('buildWidgetUrl builds the address that the interface describes', () => {
  expect(buildWidgetUrl({ widgetUrl, accessToken: 'abc' })).toBe(
    'https://widget.example/widget/?accessToken=abc',
  )
})

test.each([
  ['https://widget.example/', 'https://widget.example/widget/?accessToken=t'],
  ['https://widget.example/base//', 'https://widget.example/base/widget/?accessToken=t'],
  ['https://widget.example?old=1#x', 'https://widget.example/widget/?accessToken=t'],
  ['http://localhost:4010', 'http://localhost:4010/widget/?accessToken=t'],
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4010/widget/?accessToken=t'],
  ['http://127.10.20.30', 'http://127.10.20.30/widget/?accessToken=t'],
  ['http://[::1]:4010', 'http://[::1]:4010/widget/?accessToken=t'],
  ['http://shop.localhost:4010', 'http://shop.localhost:4010/widget/?accessToken=t'],
  ['https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443/widget/?accessToken=t'],
])('buildWidgetUrl() accepts %s', (given, expected) => {
  expect(buildWidgetUrl({ widgetUrl: given, accessToken: 't' })).toBe(expected)
})

test('the token and every parameter are encoded', () => {
  const url = buildWidgetUrl({
    widgetUrl,
    accessToken: 'a+b/c=&x',
    params: { product_id: 'gold 100', email: 'ä@b.example', 'weird&name': '=?#' },
  })
  const { searchParams } = new URL(url)
  expect(Object.fromEntries(searchParams)).toEqual({
    accessToken: 'a+b/c=&x',
    product_id: 'gold 100',
    email: 'ä@b.example',
    'weird&name': '=?#',
  })
})

test('half an emoji, as in a truncated name, becomes the replacement character', () => {
  const url = buildWidgetUrl({ widgetUrl, accessToken: 't', params: { full_name: 'Ada \ud83d', city: '🏙' } })
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ full_name: 'Ada \ufffd', city: '🏙' })
})

test('parameters without a value are left out', () => {
  expect(
    buildWidgetUrl({ widgetUrl, accessToken: 't', params: { session: undefined, utm_source: '' } }),
  ).toBe('https://widget.example/widget/?accessToken=t&utm_source=')
})

test('no parameter replaces the token', () => {
  const url = buildWidgetUrl({ widgetUrl, accessToken: 'mine', params: { accessToken: 'theirs' } })
  expect(new URL(url).searchParams.getAll('accessToken')).toEqual(['mine'])
})

test.each<[string, unknown]>([
  ['utm_source', 'evil'],
  ['params', { utm_source: 'evil' }],
  ['accessToken', 'evil'],
  ['widgetUrl', 'https://evil.example'],
  ['expiresAt', '2000-01-01T00:00:00Z'],
])('%s on Object.prototype does not change the address', async (name, value) => {
  Object.defineProperty(Object.prototype, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
  try {
    const built = buildWidgetUrl({ widgetUrl, accessToken: 't' })
    const { url, until } = await takeTarget(parseOptions({ widgetUrl, accessToken: 't' }), 'modal', false)
    Reflect.deleteProperty(Object.prototype, name)
    expect(built).toBe('https://widget.example/widget/?accessToken=t')
    expect(url).toBe('https://widget.example/widget/?accessToken=t&redirect_page=self')
    expect(until).toBeGreaterThan(Date.now())
  } finally {
    Reflect.deleteProperty(Object.prototype, name)
  }
})

test('in redirect mode, the page navigates to the address of the widget', async () => {
  const options = parseOptions({ widgetUrl, accessToken: 't', mode: 'redirect' })
  const { url, origin } = await takeTarget(options, 'redirect', false)
  const assign = vi.fn()
  vi.stubGlobal('location', { assign })
  vi.stubGlobal('addEventListener', vi.fn())
  onTestFinished(() => void vi.unstubAllGlobals())
  createRedirect({ setNotice() {} } as Partial<Host> as Host).go(url, origin)
  expect(assign).toHaveBeenCalledExactlyOnceWith(
    'https://widget.example/widget/?accessToken=t&redirect_page=self',
  )
})

test.each(['', undefined, null, 7])('%s is refused as a token', (accessToken) => {
  expect(() => buildWidgetUrl({ widgetUrl, accessToken: accessToken as string })).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining('accessToken') }),
  )
})

const plainHttpHosts = ['sandbox', '192.168.1.20']

test.each([
  ['http://sandbox:4011', 'http://sandbox:4011/widget/?accessToken=t'],
  ['http://192.168.1.20', 'http://192.168.1.20/widget/?accessToken=t'],
])('buildWidgetUrl() accepts %s where plainHttpHosts names its host', (given, expected) => {
  expect(buildWidgetUrl({ widgetUrl: given, accessToken: 't', plainHttpHosts })).toBe(expected)
  expect(() => buildWidgetUrl({ widgetUrl: given, accessToken: 't' })).toThrow('plainHttpHosts')
})

test.each([
  'http://sandbox.evil.example:4011',
  'http://evil.example/sandbox',
  'http://sandbox@evil.example',
  'http://evil.example:80@sandbox',
  'ftp://sandbox',
])('plainHttpHosts does not allow %s', (given) => {
  expect(() => buildWidgetUrl({ widgetUrl: given, accessToken: 't', plainHttpHosts })).toThrow('widgetUrl')
})

test('a page on https opens nothing over plain http, whatever plainHttpHosts names', () => {
  vi.stubGlobal('location', { protocol: 'https:' })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(() => buildWidgetUrl({ widgetUrl: 'http://sandbox', accessToken: 't', plainHttpHosts })).toThrow(
    'widgetUrl',
  )
})

test('the companion, the widget and the return addresses may be on a host in plainHttpHosts', () => {
  const ofCompanion = (host: string) =>
    parseOptions({
      companion: `http://${host}/api`,
      allowedReturnOrigins: [`http://${host}`],
      plainHttpHosts,
    })
  expect(ofCompanion('sandbox').allowedOrigins).toContain('http://sandbox')
  expect(() => ofCompanion('evil.example')).toThrow('companion')
  const ofWidget = (host: string) =>
    parseOptions({ widgetUrl: `http://${host}`, accessToken: 't', plainHttpHosts })
  expect(ofWidget('sandbox').widgetUrl).toBe('http://sandbox')
  expect(() => ofWidget('evil.example')).toThrow('widgetUrl')
})

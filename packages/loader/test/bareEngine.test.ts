// Promise: loader/bare-engine
/** The functions that webviews and native apps use must run in an engine with nothing but ECMAScript. */
import vm from 'node:vm'
import { build } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import type * as Entry from '../src/entries/url.ts'
import { isWidgetError } from '../src/index.ts'

let loader: typeof Entry

beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: `${import.meta.dirname}/../src/entries/url.ts`, formats: ['iife'], name: 'loader' },
    },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error('The build gave nothing.')
  // A separate context: no DOM, no URL, no fetch, no console; only what ECMAScript defines.
  const context = vm.createContext(Object.create(null))
  vm.runInContext(output.output[0].code, context)
  expect(vm.runInContext('typeof URL + typeof document + typeof fetch', context)).toBe(
    'undefinedundefinedundefined',
  )
  loader = vm.runInContext('loader', context)
})

test('buildWidgetUrl runs in a bare engine', () => {
  expect(
    loader.buildWidgetUrl({
      widgetUrl: 'https://w.example',
      accessToken: 'a b',
      params: { product_id: 'x&y' },
    }),
  ).toBe('https://w.example/widget/?accessToken=a%20b&product_id=x%26y')
})

test('parseReturnUrl runs in a bare engine', () => {
  expect(
    loader.parseReturnUrl('app://done?order_id=7&type=order_complete', { redirectUrl: 'app://done' }),
  ).toMatchObject({ status: 'success', orderId: '7' })
})

test('resolveRedirect runs in a bare engine', () => {
  const order = { type: 'order_complete', redirect_url: 'https://shop.example/thanks' }
  expect(loader.resolveRedirect(order, { allowedReturnOrigins: ['https://shop.example'] })).toMatchObject({
    url: 'https://shop.example/thanks',
  })
  expect(loader.resolveRedirect(order)).toBeNull()
})

test('isWidgetError() recognises an error that was thrown in a bare engine', () => {
  let caught: unknown
  try {
    loader.buildWidgetUrl({ widgetUrl: 'javascript:1', accessToken: 't' })
  } catch (error) {
    caught = error
  }
  expect(isWidgetError(caught)).toBe(true)
})

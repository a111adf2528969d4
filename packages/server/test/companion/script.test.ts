// Promise: companion/script
/** The files of the loader that the companion serves, and that it serves no others. */
import { beforeEach, expect, test } from 'vitest'
import type { Companion, PurchaseClient } from '../../src/index.ts'
import { companionOf, get } from '../support/companion.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let client: PurchaseClient
let companion: Companion

beforeEach(() => {
  client = service.client()
  companion = companionOf(client)
})

test('gives the loader’s script, for a while, to any page', async () => {
  const response = await companion.fetch(get('/purchase-widget.js'))
  // The loader may not be built here; then the answer says where the script is.
  if (response.status === 404) return expect(await response.text()).toContain('@purchase-widget/loader')
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const again = await companion.fetch(
    get('/purchase-widget.js', '', { 'if-none-match': response.headers.get('etag') ?? '' }),
  )
  expect(again.status).toBe(304)
  // With the widget's origin in its place, so that the first click needs no other request.
  const text = await response.text()
  expect(text).toContain(new URL(client.widgetUrl).origin)
  expect(text).not.toContain('{widget-origin}')
})

for (const [query, says] of [
  ['', false],
  // `dev` says in sentences what a developer has got wrong.
  ['?dev', true],
] as const)
  test(`the second file that purchase-widget.js${query} names is there for good, for any page`, async () => {
    const first = await companion.fetch(get(`/purchase-widget.js${query}`))
    if (first.status === 404) return
    const [name] = /purchase-widget\.rest[\w.-]*\.js/.exec(await first.text()) ?? []
    const second = await companion.fetch(get(`/${name}`))
    expect(second.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(second.headers.get('access-control-allow-origin')).toBe('*')
    const text = await second.text()
    expect(text.includes('no such option')).toBe(says)
    expect(text).toContain('createPurchaseWidget')
  })

test('gives the language files that are beside the script, and nothing else of its folder', async () => {
  const statusOf = async (path: string): Promise<number> => (await companion.fetch(get(path))).status
  // The loader may not be built here.
  if ((await statusOf('/purchase-widget.js')) === 404) return
  for (const language of ['de', 'pt-BR', 'zh-TW']) {
    const response = await companion.fetch(get(`/purchase-widget.${language}.js`))
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(await response.text()).toContain(`'${language.toLowerCase()}':`)
  }
  for (const name of [
    'en',
    'xx',
    'xx-XXX',
    'DE',
    'de.js',
    'de-de',
    '..%2Fde',
    '3811f551eabc',
    'rest.3811f551eabc',
    'rest',
  ])
    expect(await statusOf(`/purchase-widget.${name}.js`), name).toBe(404)
})

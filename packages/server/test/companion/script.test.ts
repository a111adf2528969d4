// Promise: companion/script
/** The loader's files that the companion serves, and that it serves no others. */
import { beforeEach, expect, test } from 'vitest'
import { companionOfThisFile, get } from '../support/companion.ts'

const { client, ask } = await companionOfThisFile()
const script = 'text/javascript; charset=utf-8'

/** A page with COEP loads a script of another origin only with this header. */
const isForAnyPage = ({ headers }: Response): boolean =>
  headers.get('cross-origin-resource-policy') === 'cross-origin'

// If the loader is not built here, the answer says where the script is.
beforeEach(async ({ skip }) => {
  const answer = await ask(get('/purchase-widget.js'))
  if (answer.status !== 404) return
  expect(await answer.text()).toContain('@purchase-widget/loader')
  skip()
})

test('serves the loader’s script, cached for a while, to any page', async () => {
  const response = await ask(get('/purchase-widget.js'))
  expect(response.headers.get('content-type')).toBe(script)
  expect(isForAnyPage(response)).toBe(true)
  const known = { 'if-none-match': response.headers.get('etag') ?? '' }
  expect((await ask(get('/purchase-widget.js', '', known))).status).toBe(304)
  // With the widget's origin filled in, so that the first click needs no other request.
  const text = await response.text()
  expect(text).toContain(new URL(client.widgetUrl).origin)
  expect(text).not.toContain('{widget-origin}')
})

// `dev` has full messages about a developer's mistakes.
test.each([
  ['', false],
  ['?dev', true],
])('the second file that purchase-widget.js%s names is immutable, for any page', async (query, says) => {
  const first = await ask(get(`/purchase-widget.js${query}`))
  const [name] = /purchase-widget\.rest[\w.-]*\.js/.exec(await first.text()) ?? []
  const second = await ask(get(`/${name}`))
  expect(second.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(second.headers.get('access-control-allow-origin')).toBe('*')
  expect(isForAnyPage(second)).toBe(true)
  const text = await second.text()
  expect(text.includes('no such option')).toBe(says)
  expect(text).toContain('createPurchaseWidget')
})

test('serves the language files next to the script, and nothing else of its folder', async () => {
  for (const language of ['de', 'pt-BR', 'zh-TW']) {
    const response = await ask(get(`/purchase-widget.${language}.js`))
    expect(response.headers.get('content-type')).toBe(script)
    expect(await response.text()).toContain(`'${language.toLowerCase()}':`)
  }
  for (const name of ['en', 'xx', 'xx-XXX', 'DE', 'de.js', '..%2Fde', 'rest.3811f551eabc', 'rest'])
    expect((await ask(get(`/purchase-widget.${name}.js`))).status, name).toBe(404)
})

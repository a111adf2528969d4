/** What a reader copies out of the guides works: a snippet that opens the widget also says where the purchase ends. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const documents = [
  'README.md',
  'docs/quickstart.md',
  'docs/react.md',
  'docs/script-tag.md',
  'docs/server.md',
  'docs/webviews.md',
]

const fence = /^```(?:html|tsx?)\n([\s\S]*?)^```$/gm
const opening =
  /(?<!\[)data-purchase-widget\b|<PurchaseWidget\b|<PurchaseButton\b|<purchase-widget\b|usePurchaseWidget\(|createPurchaseWidget\(|buildWidgetUrl\(|\/launch\b/

/** The snippets that open the widget, each with the document and the line where it begins. */
const openers = documents.flatMap((file) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
  return [...text.matchAll(fence)]
    .map(({ index, 1: code = '' }) => ({ place: `${file}:${text.slice(0, index).split('\n').length}`, code }))
    .filter(({ code }) => opening.test(code))
})

test('the guides open the widget in many ways', () => {
  expect(openers.length).toBeGreaterThan(6)
})

test('each snippet that opens the widget names both return addresses: a page hears of a purchase by its return', () => {
  const silent = openers.filter(
    ({ code }) => !/(?<!fail_)redirect_url/.test(code) || !code.includes('fail_redirect_url'),
  )
  expect(silent.map(({ place }) => place)).toEqual([])
})

test('each snippet that waits for a result keeps its page, which else goes to the return address', () => {
  const waiting = openers.filter(({ code }) => /onSuccess|onFailure|await (\w+\.)?open\(/.test(code))
  const leaving = waiting.filter(({ code }) => !/preventDefault|redirectPage(=|: )['"]new/.test(code))
  expect(waiting.length).toBeGreaterThan(2)
  expect(leaving.map(({ place }) => place)).toEqual([])
})

test('no document promises a runtime in which nothing was run', () => {
  const promising = [...documents, 'packages/server/README.md'].filter((file) =>
    /(or|in|on) any runtime/i.test(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')),
  )
  expect(promising).toEqual([])
})

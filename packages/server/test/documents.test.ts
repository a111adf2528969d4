// Promise: docs/companions
/** Code copied from the guides is safe: the server decides what is sold, and delivers only what it created. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const guides = [
  'README.md',
  'docs/deliver.md',
  'docs/go-live.md',
  'docs/options.md',
  'docs/sell.md',
  'docs/server.md',
  'docs/start-express.md',
  'docs/start-mobile.md',
  'docs/start-nextjs.md',
  'docs/start-vite-hono.md',
]
const documents = [...guides, 'docs/security.md', 'packages/react/README.md', 'packages/server/README.md']

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')

interface Snippet {
  /** `docs/server.md`. */
  document: string
  /** The document and its first line: `docs/server.md:36`. */
  place: string
  code: string
}

const fence = /^```(?:html|tsx?)\n([\s\S]*?)^```$/gm

const snippets: Snippet[] = documents.flatMap((file) => {
  const text = read(file)
  return [...text.matchAll(fence)].map(({ index, 1: code = '' }) => ({
    document: file,
    place: `${file}:${text.slice(0, index).split('\n').length}`,
    code,
  }))
})

const placesOf = (found: Snippet[]): string[] => found.map(({ place }) => place)

const companions = snippets.filter(({ code }) => code.includes('createCompanion({'))

test('the guides create a companion in many ways', () => {
  expect(companions.length).toBeGreaterThan(6)
})

test('each companion decides what is sold', () => {
  expect(placesOf(companions.filter(({ code }) => !/\bcreatePurchase\b/.test(code)))).toEqual([])
})

test('each companion receives orders, and checks how they fit their purchase', () => {
  expect(placesOf(companions.filter(({ code }) => !/\bonOrder\b/.test(code)))).toEqual([])
  // A shorthand property refers to the function of the snippet above.
  const written = companions.filter(({ code }) => !/\bonOrder(,| })/.test(code))
  expect(written.length).toBeGreaterThan(6)
  expect(placesOf(written.filter(({ code }) => !code.includes('purchase.state')))).toEqual([])
})

test('each snippet that delivers does so on a complete order that is matched or a renewal', () => {
  const delivering = snippets.filter(({ code }) => /\b(deliver\(|insert\.run\(|INSERT INTO)/.test(code))
  const careless = delivering.filter(
    ({ code }) => !["'order_complete'", "'matched'", "'renewal'"].every((word) => code.includes(word)),
  )
  expect(delivering.length).toBeGreaterThan(3)
  expect(placesOf(careless)).toEqual([])
})

const opening =
  /(?<!\[)data-purchase-widget\b|<PurchaseWidget\b|<PurchaseButton\b|<purchase-widget\b|usePurchaseWidget\(|createPurchaseWidget\(|\/launch\b/

test('no page or link next to a companion sets where a purchase ends: only the server does', () => {
  const opened = snippets.filter(({ code }) => opening.test(code) && !code.includes('widgetUrl'))
  const saying = opened.filter(({ code }) => /redirect_url/.test(code))
  expect(opened.length).toBeGreaterThan(8)
  expect(placesOf(saying)).toEqual([])
})

test('each snippet that waits for a result keeps its page from leaving for the return address', () => {
  const waiting = snippets.filter(
    ({ code }) =>
      opening.test(code) &&
      /onSuccess|onFailure|onResult|await (\w+\.)?open\(|purchase-widget-result/.test(code),
  )
  // A listener on the document receives the result on the return page too.
  const staying =
    /preventDefault|redirectPage(=|: )['"]new|document\.addEventListener\('purchase-widget-result'/
  // A start page shows the whole shop: if its companion has no return address, nothing navigates away.
  const withoutReturn = companions
    .filter(({ document, code }) => document.includes('start-') && !code.includes('returnUrl'))
    .map(({ document }) => document)
  const leaving = waiting.filter(
    ({ document, code }) => !staying.test(code) && !withoutReturn.includes(document),
  )
  expect(waiting.length).toBeGreaterThan(2)
  expect(placesOf(leaving)).toEqual([])
})

test('no document promises a runtime in which nothing was run', () => {
  expect(documents.filter((file) => /(or|in|on) any runtime/i.test(read(file)))).toEqual([])
})

test('each link from one document to a section of another is valid', () => {
  const anchorOf = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
  const anchors = (file: string): string[] =>
    [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading.replaceAll('`', '')))

  const lost = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?<path>[\w./-]*\.md)?#(?<anchor>[\w-]+)\)/g)]
      .map(({ groups }) => ({ target: groups?.path ?? '', anchor: groups?.anchor ?? '' }))
      .filter(({ target, anchor }) => {
        const at = target ? new URL(target, `file:///${file}`).pathname.slice(1) : file
        return !anchors(at).includes(anchor)
      })
      .map(({ target, anchor }) => `${file}: ${target}#${anchor}`),
  )
  expect(lost).toEqual([])
})

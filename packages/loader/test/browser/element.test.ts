// Promise: script/element
import { expect, onTestFinished, test } from 'vitest'
import { PurchaseWidgetElement } from '../../src/entries/element.ts'
import type { PurchaseResult } from '../../src/index.ts'
import { addPage } from './merchantPage.ts'
import {
  addContainer,
  button,
  comeBack,
  complete,
  createCompanion,
  find,
  frames,
  order,
  pending,
  shells,
  type TestCompanion,
} from './page.ts'

function addElement(attributes: Record<string, string>): PurchaseWidgetElement {
  const element = document.createElement('purchase-widget') as PurchaseWidgetElement
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  document.body.append(element)
  onTestFinished(() => element.remove())
  return element
}

const loads = (element: Element | Document): Event[] => {
  const heard: Event[] = []
  element.addEventListener('purchase-widget-load', (event) => heard.push(event))
  return heard
}

async function addLoaded(
  attributes: Record<string, string> = {},
): Promise<{ element: PurchaseWidgetElement; heard: Event[]; companion: TestCompanion }> {
  const companion = await createCompanion()
  const element = addElement({ companion: companion.url, ...attributes })
  const heard = loads(element)
  await expect.poll(() => heard.length).toBe(1)
  return { element, heard, companion }
}

test('the element is registered once, and opens as soon as it is in the document', async () => {
  expect(customElements.get('purchase-widget')).toBe(PurchaseWidgetElement)
  const { element, companion } = await addLoaded({ title: 'Buy gold' })
  expect(element.contains((find('iframe').getRootNode() as ShadowRoot).host)).toBe(true)
  expect(frames().map(({ title }) => title)).toEqual(['Buy gold'])
  expect((await companion.state()).tokens).toBe(1)
})

test('changing an option reopens the frame, and changing any other attribute does not', async () => {
  const { element, heard } = await addLoaded({ 'param-product_id': 'gold-100' })
  const [frame] = frames()
  for (const name of ['class', 'id', 'data-v-1', 'aria-busy']) element.setAttribute(name, 'true')
  // By then the element has processed the attribute changes.
  await Promise.resolve()
  expect(frames()).toEqual([frame])
  expect(heard).toHaveLength(1)
  element.setAttribute('param-product_id', 'gold-550')
  await expect.poll(() => heard.length).toBe(2)
  expect(frames()).toHaveLength(1)
  expect(frames()[0]).not.toBe(frame)
})

test('options that change while a result is looked up open a frame once it is known', async () => {
  const { element, heard, companion } = await addLoaded({ 'param-product_id': 'gold-100' })
  onTestFinished(() => sessionStorage.clear())
  const results: string[] = []
  element.addEventListener('purchase-widget-result', ({ detail }) => results.push(detail.status))
  await companion.set({ purchaseDelay: 500 })
  element.close()
  element.setAttribute('param-product_id', 'gold-550')
  await Promise.resolve()
  element.setAttribute('class', 'sold')
  await expect.poll(() => results).toEqual(['closed'])
  await expect.poll(() => heard.length).toBe(2)
  expect((await companion.state()).asked.map(({ params }) => params?.product_id)).toEqual([
    'gold-100',
    'gold-550',
  ])
  expect(results).toHaveLength(1)
})

test('options that change while a dialog is open apply to the next opening, and the dialog stays', async () => {
  const companion = await createCompanion()
  const element = addElement({ companion: companion.url, mode: 'modal' })
  const heard = loads(element)
  await Promise.resolve()
  const result = element.open()
  await expect.poll(() => heard.length).toBe(1)
  const [frame] = frames()
  element.setAttribute('param-product_id', 'gold-550')
  element.options = { locale: 'de' }
  expect(element.open()).toBeInstanceOf(Promise)
  expect(frames()).toEqual([frame])
  element.close()
  expect(await result).toEqual({ status: 'closed' })

  element.open()
  await expect.poll(() => heard.length).toBe(2)
  expect((await companion.state()).asked.map(({ params }) => params?.product_id)).toEqual([
    undefined,
    'gold-550',
  ])
})

test('moving the element keeps the widget, and removing the element ends it', async () => {
  const { element } = await addLoaded()
  const place = document.body.appendChild(document.createElement('div'))
  onTestFinished(() => place.remove())
  place.append(element)
  await Promise.resolve()
  expect(frames()).toHaveLength(1)
  element.remove()
  await expect.poll(frames).toEqual([])
})

test('functions are set through a property, and the newest is called without creating a new widget', async () => {
  const { widgetUrl } = await createCompanion()
  const element = addElement({ 'widget-url': widgetUrl, mode: 'modal' })
  const called: string[] = []
  element.options = { accessToken: () => `${called.push('old')}` }
  element.options = { accessToken: () => `${called.push('new')}` }
  const result = element.open()
  await expect.poll(() => called).toEqual(['new'])
  button('Close').click()
  expect(await result).toEqual({ status: 'closed' })
})

/** A page that loads the element's file, of the production build, only after its HTML. */
async function addLatePage(html: string): Promise<{ view: Window; load(): void }> {
  const { view } = await addPage(`${html}<a href="#">Shop</a>`)
  return {
    view,
    load() {
      const script = view.document.createElement('script')
      view.document.body.append(Object.assign(script, { src: '/script/element' }))
    },
  }
}

test('options that a framework sets before the file has loaded count, and so do those after it', async () => {
  const { widgetUrl } = await createCompanion()
  const { view, load } = await addLatePage(`<purchase-widget widget-url="${widgetUrl}"></purchase-widget>`)
  const element = view.document.querySelector('purchase-widget') as PurchaseWidgetElement
  const called: string[] = []
  element.options = { accessToken: () => `${called.push('early')}` }
  load()
  await expect.poll(() => called).toEqual(['early'])
  element.options = { accessToken: () => `${called.push('late')}`, locale: 'de' }
  await expect.poll(() => called).toEqual(['early', 'late'])
})

test.each(['', 'inline'])(
  'a mode that does not exist (%j) is the default in production: a frame',
  async (mode) => {
    const { url, state } = await createCompanion()
    const { load } = await addLatePage(
      `<purchase-widget companion="${url}" mode="${mode}"></purchase-widget>`,
    )
    load()
    await expect.poll(async () => (await state()).asked.map(({ surface }) => surface)).toEqual(['iframe'])
  },
)

test('the events of an element in a shadow root reach the document', async () => {
  const companion = await createCompanion()
  const host = addContainer()
  const heard = loads(document)
  const element = document.createElement('purchase-widget')
  element.setAttribute('companion', companion.url)
  host.attachShadow({ mode: 'open' }).append(element)
  await expect.poll(() => heard.map(({ target }) => target)).toEqual([host])
})

test('a copy of an open element, as in a page that Turbo restores, is as high as the element was', async () => {
  const { element } = await addLoaded()
  const container = addContainer()
  container.append(element)
  const { height } = container.getBoundingClientRect()
  expect(height).toBeGreaterThan(600)
  const copy = element.cloneNode(true) as PurchaseWidgetElement
  const heard = loads(copy)
  element.replaceWith(copy)
  await expect.poll(() => heard.length).toBe(1)
  expect(container.getBoundingClientRect().height).toBe(height)
})

test('invalid options are reported as a result, which open() returns too', async () => {
  const results: PurchaseResult[] = []
  const hear = (event: Event): void => void results.push((event as CustomEvent).detail)
  document.addEventListener('purchase-widget-result', hear)
  onTestFinished(() => document.removeEventListener('purchase-widget-result', hear))
  const element = addElement({ mode: 'popup' })
  await expect.poll(() => results.length).toBe(1)
  expect(results[0]).toMatchObject({ status: 'error', error: { code: 'invalid_options' } })
  expect(await element.open()).toMatchObject({ status: 'error', error: { code: 'invalid_options' } })
})

test('open() resolves to an error for an element that is not in the document', async () => {
  const { url } = await createCompanion()
  const created = document.createElement('purchase-widget')
  created.setAttribute('companion', url)
  const removed = addElement({ companion: url, mode: 'modal' })
  removed.remove()
  for (const element of [created, removed]) {
    const message = expect.stringContaining('not in the document')
    const error = { code: 'open_failed', message }
    expect(await element.open()).toMatchObject({ status: 'error', error })
  }
  expect(frames()).toEqual([])
})

test('a page that calls preventDefault() on the DOM return event stays where it is', async () => {
  const returnUrl = `${location.origin}/done`
  const companion = await createCompanion({ purchase: complete, returnUrl })
  const element = addElement({ companion: companion.url, mode: 'modal' })
  element.addEventListener('purchase-widget-return', (event) => event.preventDefault())
  const heard = loads(element)
  const result = element.open()
  await expect.poll(() => heard.length).toBe(1)
  await comeBack(companion)
  // Otherwise the page would navigate there and end this test.
  expect(await result).toMatchObject({ status: 'success', verified: true })
})

/** An element in a page that was reloaded: its tab has stored a purchase, for which the companion answers `purchase`. */
async function addReloaded(purchase: object) {
  const id = crypto.randomUUID()
  sessionStorage.setItem('purchase-widget', `${id} ${Date.now()}`)
  onTestFinished(() => sessionStorage.clear())
  const companion = await createCompanion({ ids: [id], purchase: purchase as never })
  const element = addElement({ companion: companion.url, 'param-product_id': 'gold-100' })
  const heard: string[] = []
  for (const type of ['success', 'failure', 'result'])
    element.addEventListener(`purchase-widget-${type}`, (event) =>
      heard.push(`${type} ${(event as CustomEvent<PurchaseResult>).detail.status}`),
    )
  return { element, heard, companion, loaded: loads(element) }
}

// Promise: known/reload
test.each([
  ['is being paid', pending],
  ['has ended', complete],
])(
  'a reloaded element whose purchase %s reports its result, and opens no other until an option changes',
  async (_, purchase) => {
    const { element, heard, companion, loaded } = await addReloaded(purchase)
    if (purchase === pending) await expect.poll(() => find('[part=bar] p').textContent).toContain('processed')
    await companion.set({ purchase: complete })
    await expect.poll(() => heard).toEqual(['success success', 'result success'])
    element.setAttribute('class', 'paid')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(shells().flatMap((root) => [...root.querySelectorAll('p, iframe')])).toEqual([])
    expect((await companion.state()).tokens).toBe(0)
    element.setAttribute('param-product_id', 'gold-550')
    await expect.poll(() => loaded.length).toBe(1)
    expect(heard).toHaveLength(2)
  },
)

test('a reloaded element whose purchase was declined reports that, and opens for another try', async () => {
  const { heard, loaded } = await addReloaded({ status: 'failed', order: order('order_failed') })
  await expect.poll(() => loaded.length).toBe(1)
  expect(heard).toEqual(['failure failure', 'result failure'])
})

test('of several reloaded elements, one reports the purchase that was declined', async () => {
  const { heard, companion, loaded } = await addReloaded({ status: 'failed', order: order('order_failed') })
  const other = addElement({ companion: companion.url, 'param-product_id': 'gold-550' })
  other.addEventListener('purchase-widget-result', ({ detail }) => heard.push(`other ${detail.status}`))
  const otherLoaded = loads(other)
  await expect.poll(() => [loaded.length, otherLoaded.length]).toEqual([1, 1])
  expect(heard).toEqual(['failure failure', 'result failure'])
})

test('a reloaded element whose purchase is declined while the page waits reports that once', async () => {
  const { heard, companion } = await addReloaded(pending)
  await expect.poll(() => find('[part=bar] p').textContent).toContain('processed')
  await companion.set({ purchase: { status: 'failed', order: order('order_failed') } })
  await expect.poll(() => heard).toEqual(['failure failure', 'result failure'])
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(heard).toHaveLength(2)
})

test('a reloaded element whose purchase has no order opens, and reports nothing', async () => {
  const { heard, loaded } = await addReloaded({ status: 'none' })
  await expect.poll(() => loaded.length).toBe(1)
  expect(heard).toEqual([])
})

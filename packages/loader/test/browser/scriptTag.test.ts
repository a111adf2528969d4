// Promise: script/buttons
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { PurchaseResult, WidgetState } from '../../src/index.ts'
import { languages } from '../../src/languages.ts'
import {
  addContainer,
  button,
  createCompanion,
  drawn,
  find,
  frames,
  keptId,
  shells,
  watchNavigations,
  watchWindows,
} from './page.ts'
import { isElsewhere } from './windows.ts'

const { de, fr } = languages

const queued: string[] = []

/** The merchant's script tag, the only element that names the companion. */
const tag = document.createElement('script')
tag.src = '/script/scriptTag'

const load = (script: HTMLScriptElement): Promise<Event> =>
  new Promise((resolve, reject) => {
    script.onload = resolve
    script.onerror = reject
    document.head.append(script)
  })

/** The order on a page: the first file, a click and a call while the second file loads, then the second file. */
beforeAll(async () => {
  const { url } = await createCompanion()
  await load(tag)
  const early = addButton({ companion: url, title: 'Early' })
  early.click()
  early.click()
  page().ready(() => queued.push('ready'))
  expect(queued).toEqual([])
  expect(early.ariaBusy).toBe('true')
  await vi.waitFor(() => expect(queued).toEqual(['ready']), 20_000)
})

afterEach(async () => {
  for (const root of shells()) root.querySelector<HTMLDialogElement>('dialog')?.close()
  for (const each of document.querySelectorAll('[data-purchase-widget]')) each.remove()
  await expect.poll(shells).toEqual([])
})

interface Global {
  ready(callback: () => void): void
  createPurchaseWidget: unknown
}

const page = (): Global => (window as unknown as { PurchaseWidget: Global }).PurchaseWidget

/** The attributes of a link or button; the companion is set on the script tag instead. */
type Data = Record<string, string> & { companion: string }

function addPressed<Tag extends 'a' | 'button'>(name: Tag, data: Data): HTMLElementTagNameMap[Tag] {
  const element = document.body.appendChild(document.createElement(name))
  const { companion, ...rest } = data
  tag.dataset.companion = companion
  element.setAttribute('data-purchase-widget', '')
  for (const [name, value] of Object.entries(rest)) element.setAttribute(`data-${name}`, value)
  return element
}

const addButton = (data: Data): HTMLButtonElement => addPressed('button', data)

/** A link to the launch address. */
function addLink(query: string, data: Data): HTMLAnchorElement {
  const element = addPressed('a', data)
  element.href = `${data.companion}/launch${query}`
  return element
}

/** Clicks without letting the browser follow a link, and returns whether the event was prevented before that. */
function click(element: Element, modified: MouseEventInit = {}): { defaultPrevented: boolean } {
  let defaultPrevented = false
  const last = (event: Event): void => {
    defaultPrevented = event.defaultPrevented
    event.preventDefault()
  }
  addEventListener('click', last)
  element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...modified }))
  removeEventListener('click', last)
  return { defaultPrevented }
}

/** Like `click`, for a refusal that reaches the page's `onerror`, which must not fail the run. */
function pressQuietly(element: Element): { defaultPrevented: boolean } {
  const onError = (event: ErrorEvent): void => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('error', onError, { capture: true })
  const event = click(element)
  removeEventListener('error', onError, { capture: true })
  return event
}

/** What the loader has drawn says so. */
const says = (sentence: string): boolean => shells().some((root) => root.textContent?.includes(sentence))

const hear = <Detail>(target: EventTarget, type: string): Detail[] => {
  const heard: Detail[] = []
  const listener = (event: Event): void => void heard.push((event as CustomEvent<Detail>).detail)
  target.addEventListener(`purchase-widget-${type}`, listener)
  onTestFinished(() => target.removeEventListener(`purchase-widget-${type}`, listener))
  return heard
}

test('clicks and calls made before the file has loaded are handled once', async () => {
  expect(queued).toEqual(['ready'])
  await expect.poll(() => frames().map(({ title }) => title)).toEqual(['Early'])
})

test('once the file has loaded, ready() calls its callback at once', () => {
  const called = vi.fn()
  page().ready(called)
  expect(called).toHaveBeenCalledOnce()
})

test('a button in a form opens the widget, and does not submit the form', async () => {
  const form = document.body.appendChild(document.createElement('form'))
  onTestFinished(() => form.remove())
  const submitted = vi.fn((event: Event) => event.preventDefault())
  form.addEventListener('submit', submitted)
  const buy = addButton({ companion: (await createCompanion()).url })
  form.append(buy)
  buy.click()
  await expect.poll(frames).toHaveLength(1)
  expect(submitted).not.toHaveBeenCalled()
})

test('a button in a shadow root, with an icon that has one too, opens the widget, and the document hears its result', async () => {
  const host = document.body.appendChild(document.createElement('section'))
  onTestFinished(() => host.remove())
  const buy = addButton({ companion: (await createCompanion()).url })
  host.attachShadow({ mode: 'open' }).append(buy)
  const icon = buy.appendChild(document.createElement('span'))
  const picture = document.createElement('i')
  icon.attachShadow({ mode: 'open' }).append(picture)
  const results = hear<PurchaseResult>(document, 'result')
  picture.click()
  await expect.poll(frames).toHaveLength(1)
  expect(buy.ariaBusy).toBe('true')
  find<HTMLDialogElement>('dialog').close()
  await expect.poll(() => results).toEqual([{ status: 'closed' }])
})

test('a button without preload intent makes no request before the click', async () => {
  const companion = await createCompanion()
  const buy = addButton({ companion: companion.url })
  const asked = vi.spyOn(window, 'fetch')
  onTestFinished(() => asked.mockRestore())
  for (const type of ['pointerover', 'focusin']) buy.dispatchEvent(new Event(type, { bubbles: true }))
  await new Promise((resolve) => setTimeout(resolve))
  expect(asked).not.toHaveBeenCalled()
})

test('the result of a button that the page has replaced is dispatched on the document', async () => {
  const { url } = await createCompanion()
  const buy = addButton({ companion: url })
  const results = hear<PurchaseResult>(document, 'result')
  buy.click()
  await expect.poll(frames).toHaveLength(1)
  buy.replaceWith(buy.cloneNode(true))
  find<HTMLDialogElement>('dialog').close()
  await expect.poll(() => results).toEqual([{ status: 'closed' }])
})

test('a button that replaces another one in the middle of its purchase continues that purchase', async () => {
  const companion = await createCompanion()
  const opened = watchWindows()
  const buy = addButton({ companion: companion.url, mode: 'popup' })
  const states = hear<WidgetState>(document, 'statechange')
  buy.click()
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  const next = document.createElement('button')
  for (const name of ['data-purchase-widget', 'data-mode'])
    next.setAttribute(name, `${buy.getAttribute(name)}`)
  buy.replaceWith(next)
  const results = hear<PurchaseResult>(next, 'result')
  next.click()
  expect(next.ariaBusy).toBe('true')
  await new Promise((resolve) => setTimeout(resolve, 300))
  next.click()
  expect([opened.length, (await companion.state()).asked.length]).toEqual([1, 1])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_100 })
  await expect.poll(() => states.at(-1)?.status).toBe('loaded')
  vi.useRealTimers()
  opened[0]?.close()
  await expect.poll(() => results).toEqual([{ status: 'closed' }])
  next.click()
  expect(opened).toHaveLength(2)
  button('Cancel').click()
})

test('at a button that cannot be opened the shopper reads that nothing was opened', () => {
  sessionStorage.clear()
  pressQuietly(addButton({ companion: 'http://shop.example/' }))
  const said = document.querySelector('p[role=alert]')
  onTestFinished(() => said?.remove())
  expect(said?.textContent).toBe('The purchase could not be started. You have not been charged.')
})

test('the second file does nothing the second time', async () => {
  const { createPurchaseWidget } = page()
  const again = document.createElement('script')
  Object.assign(again, {
    src: '/script/__rest__?again',
    purchaseWidget: { tag, takeOver: () => expect.unreachable() },
  })
  await load(again)
  expect(page().createPurchaseWidget).toBe(createPurchaseWidget)
})

test('a button opens the widget with its attributes, and its result bubbles to the page', async () => {
  const companion = await createCompanion()
  const buy = addButton({ companion: companion.url, 'param-product_id': 'gold-100', 'param-clickid': 'c7' })
  const results = hear<PurchaseResult>(document, 'result')
  const states = hear<WidgetState>(document, 'statechange')
  buy.click()
  await drawn()
  expect(find('dialog').matches('[open]')).toBe(true)
  await expect.poll(() => states.at(-1)?.status).toBe('loaded')
  expect((await companion.state()).asked).toMatchObject([
    { params: { product_id: 'gold-100', clickID: 'c7' }, surface: 'modal' },
  ])
  button('Close').click()
  await expect.poll(() => results).toEqual([{ status: 'closed' }])
})

test('attributes are read when the button, or an element inside it, is clicked', async () => {
  const buy = addButton({ companion: (await createCompanion()).url, title: 'One' })
  const inside = buy.appendChild(document.createElement('span'))
  const results = hear<PurchaseResult>(document, 'result')
  inside.click()
  await expect.poll(() => frames()[0]?.title).toBe('One')
  button('Close').click()
  await expect.poll(() => results).toHaveLength(1)
  buy.dataset.title = 'Two'
  buy.click()
  await expect.poll(() => frames().map(({ title }) => title)).toEqual(['Two'])
})

test('attributes with flags, lists and numbers are parsed', async () => {
  const companion = await createCompanion()
  tag.dataset.permissions = 'payment, camera'
  onTestFinished(() => void Reflect.deleteProperty(tag.dataset, 'permissions'))
  const buy = addButton({ companion: companion.url, 'load-timeout': '9000' })
  buy.click()
  await expect.poll(() => frames()[0]?.allow).toMatch(/^payment \S+; ?camera \S+$/)
})

test('a numeric attribute with a value that is not a number is rejected', () => {
  const results = hear<PurchaseResult>(document, 'result')
  const event = pressQuietly(addButton({ companion: '/c', 'load-timeout': 'soon' }))
  // In a form the button would submit it.
  expect(event.defaultPrevented).toBe(true)
  expect(results).toMatchObject([{ error: { message: expect.stringContaining('loadTimeout') } }])
})

// Promise: script/hostile-attributes
test('a token in an attribute is not read', () => {
  const results = hear<PurchaseResult>(document, 'result')
  Object.assign(tag.dataset, { accessToken: 'canary-token', widgetUrl: 'https://widget.example' })
  onTestFinished(() => {
    for (const name of ['accessToken', 'widgetUrl']) Reflect.deleteProperty(tag.dataset, name)
  })
  const buy = addButton({ companion: '', 'access-token': 'canary-token' })
  Reflect.deleteProperty(tag.dataset, 'companion')
  pressQuietly(buy)
  expect(results).toMatchObject([{ status: 'error', error: { code: 'invalid_options' } }])
  expect(frames()).toEqual([])
})

test('data-param-__proto__ and similar attributes change no prototype', async () => {
  const before = Object.getOwnPropertyNames(Object.prototype)
  const names = ['__proto__', 'constructor', 'prototype']
  const hostile = names.flatMap((name) => [
    [`param-${name}`, 'x'],
    [name, 'y'],
  ])
  addButton({ companion: (await createCompanion()).url, ...Object.fromEntries(hostile) }).click()
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test("a link's query specifies the request, and its attributes take precedence", async () => {
  const companion = await createCompanion()
  const states = hear<WidgetState>(document, 'statechange')
  const link = addLink('?product_id=gold-100&quote=EUR&locale=de&redirect_page=new', {
    companion: companion.url,
    'param-quote': 'USD',
  })
  expect(click(link).defaultPrevented).toBe(true)
  await expect.poll(async () => (await companion.state()).asked).toHaveLength(1)
  expect((await companion.state()).asked).toMatchObject([
    { params: { product_id: 'gold-100', quote: 'USD' }, redirectPage: 'new' },
  ])
  await expect.poll(() => states.at(-1)?.status).toBe('loaded')
})

// Promise: script/modified-clicks
test('the browser handles clicks with a modifier, clicks that the page has prevented, and links with a target or download', async () => {
  const companion = await createCompanion()
  const link = addLink('', { companion: companion.url })
  for (const modified of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey'])
    expect(click(link, { [modified]: true }).defaultPrevented, modified).toBe(false)
  for (const [name, value] of [
    ['target', '_blank'],
    ['target', 'checkout'],
    ['download', ''],
  ] as const) {
    link.setAttribute(name, value)
    expect(click(link).defaultPrevented, name).toBe(false)
    link.removeAttribute(name)
  }
  link.addEventListener('click', (event) => event.preventDefault())
  click(link)
  await drawn()
  expect(frames()).toEqual([])
  expect((await companion.state()).tokens).toBe(0)
})

test('the browser follows a link of an image map or of a drawing', () => {
  const map = document.body.appendChild(document.createElement('div'))
  onTestFinished(() => map.remove())
  map.innerHTML =
    '<area data-purchase-widget href="#gold"><svg><a data-purchase-widget href="#gold"><circle r="9" /></a></svg>'
  for (const link of map.querySelectorAll('[href]')) expect(click(link).defaultPrevented).toBe(false)
})

// Promise: script/buttons
test('a link that the script cannot open is followed, as a purchase that this tab knows', () => {
  sessionStorage.clear()
  const results = hear<PurchaseResult>(document, 'result')
  const followed = watchNavigations()
  const link = addLink('', { companion: '/c', mode: 'window' })
  pressQuietly(link)
  expect(followed).toEqual([`${link.href}?purchase=${keptId()}&surface=redirect`])
  expect(link.ariaBusy).toBe(null)
  expect(results).toMatchObject([{ status: 'error', error: { code: 'invalid_options' } }])
  sessionStorage.clear()
})

// Promise: script/hostile-attributes
test('a link to any address but the launch address is followed, and the result reports the error', async () => {
  const companion = await createCompanion()
  const link = addLink('', { companion: companion.url, preload: 'eager' })
  const results = hear<PurchaseResult>(document, 'result')
  const followed = watchNavigations()
  const addresses = [
    'https://evil.example/launch',
    `${location.origin}${companion.url}/return`,
    `${location.origin}${companion.url}/launch/x`,
    document.baseURI,
  ]
  for (const href of addresses) {
    link.href = href
    pressQuietly(link)
  }
  expect(followed).toEqual(addresses)
  expect(results).toHaveLength(4)
  expect(results[0]).toMatchObject({
    error: { message: expect.stringMatching(/^href/) },
  })
  expect((await companion.state()).tokens).toBe(0)
})

test('a link is busy from the click to the result, and works again after an error', async () => {
  const companion = await createCompanion({ tokenStatus: 500 })
  const link = addLink('', { companion: companion.url })
  const results = hear<PurchaseResult>(document, 'result')
  const states = hear<WidgetState>(document, 'statechange')
  click(link)
  expect(link.ariaBusy).toBe('true')
  click(link)
  await expect.poll(() => says('Try again')).toBe(true)
  button('Close').click()
  await expect.poll(() => results).toMatchObject([{ status: 'error', error: { code: 'token_failed' } }])
  await expect.poll(() => link.ariaBusy).toBe(null)
  expect(states.at(-1)?.status).toBe('settled')

  await companion.set({ tokenStatus: 200 })
  click(link)
  await expect.poll(() => states.at(-1)?.status).toBe('loaded')
  expect(link.ariaBusy).toBe('true')
})

/** Its result has come: from now on the tab remembers that it was closed. */
const hasEnded = (pressed: Element): Promise<void> => expect.poll(() => pressed.ariaBusy).toBeNull()

test('texts come from language files, in the language of the page or of the link', async () => {
  Object.assign(page(), { strings: { de, fr } })
  onTestFinished(() => void Reflect.deleteProperty(page(), 'strings'))
  const { url } = await createCompanion()
  click(addLink('', { companion: url, locale: 'de-AT' }))
  await expect.poll(() => says(de.loading)).toBe(true)
  button(de.close).click()
  await expect.poll(shells).toEqual([])
  document.documentElement.lang = 'fr'
  onTestFinished(() => void document.documentElement.removeAttribute('lang'))
  const link = addLink('', { companion: url })
  click(link)
  await drawn()
  button(fr.close).click()
  await hasEnded(link)
})

test('loading the file twice is harmless', async () => {
  await load(Object.assign(document.createElement('script'), { src: '/script/scriptTag?again' }))
  const buy = addButton({ companion: (await createCompanion()).url })
  buy.click()
  await expect.poll(frames).toHaveLength(1)
  button('Close').click()
  await hasEnded(buy)
})

test.each(['intent', 'eager'])(
  'with preload %s, the dialog loads on pointerover and on focusin',
  async (preload) => {
    for (const type of ['pointerover', 'focusin']) {
      // As in another tab.
      sessionStorage.clear()
      const companion = await createCompanion()
      const buy = addButton({ companion: companion.url, preload })
      buy.dispatchEvent(new Event(type, { bubbles: true }))
      await expect.poll(async () => (await companion.state()).asked, { message: type }).toHaveLength(1)
      const dialog = find<HTMLDialogElement>('dialog')
      expect(dialog.open).toBe(false)
      // The click shows that dialog.
      buy.click()
      expect(dialog.open).toBe(true)
      button('Close').click()
      await hasEnded(buy)
      expect((await companion.state()).asked).toHaveLength(1)
    }
  },
)

/** The dialog that was added last. */
const newestDialog = (): HTMLDialogElement | null | undefined => shells().at(-1)?.querySelector('dialog')

test('a button that replaces a preloaded one shows that dialog, and the dialog of a button that is gone is removed', async () => {
  // As in another tab.
  sessionStorage.clear()
  const companion = await createCompanion()
  /** Preloads a dialog, as the number of purchases says. */
  async function hover(element: Element, purchases: number) {
    element.dispatchEvent(new Event('pointerover', { bubbles: true }))
    await expect.poll(async () => (await companion.state()).asked).toHaveLength(purchases)
    return newestDialog()
  }
  const buy = addButton({ companion: companion.url, preload: 'intent' })
  const dialog = await hover(buy, 1)
  const next = buy.cloneNode(true) as HTMLButtonElement
  buy.replaceWith(next)
  expect(await hover(next, 1)).toBe(dialog)
  next.click()
  expect(dialog?.open).toBe(true)
  dialog?.close()
  await hasEnded(next)
  const abandoned = await hover(next, 2)
  expect(abandoned?.isConnected).toBe(true)
  next.remove()
  const other = addButton({ companion: companion.url, preload: 'intent', 'param-product_id': 'silver' })
  const last = await hover(other, 3)
  expect(last?.isConnected).toBe(true)
  expect(abandoned?.isConnected).toBe(false)
  sessionStorage.clear()
  other.click()
  last?.close()
  await hasEnded(other)
})

test('a link changed during its purchase leaves the frame alone, at a hover and at a click, until the next purchase', async () => {
  const companion = await createCompanion()
  const container = addContainer()
  container.id = 'place'
  const link = addLink('', {
    companion: companion.url,
    mode: 'iframe',
    container: '#place',
    preload: 'intent',
    'param-product_id': 'gold',
  })
  const asked = async (): Promise<(string | undefined)[]> =>
    (await companion.state()).asked.map(({ params }) => params?.product_id)
  const states = hear<WidgetState>(document, 'statechange')
  click(link)
  await expect.poll(() => states.at(-1)?.status).toBe('loaded')
  const [shown] = frames()
  link.setAttribute('data-param-product_id', 'silver')
  for (const type of ['pointerover', 'focusin']) link.dispatchEvent(new Event(type, { bubbles: true }))
  click(link)
  // A replaced frame would be gone at once, and its purchase asked for.
  expect(frames()).toEqual([shown])
  expect(await asked()).toEqual(['gold'])
  shells()[0]?.host.remove()
  await hasEnded(link)
  click(link)
  await expect.poll(asked).toEqual(['gold', 'silver'])
  shells()[0]?.host.remove()
  await hasEnded(link)
})

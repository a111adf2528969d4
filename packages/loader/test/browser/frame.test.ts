// Promise: surface/no-dead-frame
/** The frame on the page: its attributes, its focus, and what is shown in its place. */
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  addContainer,
  button,
  complete,
  createCompanion,
  find,
  frames,
  makeWidget,
  reaches,
  setUserActivation,
  shells,
  watchLinks,
} from './page.ts'

test('the frame has the sandbox from its options, and none by default', async () => {
  const { url } = await createCompanion()
  const frameSandbox = 'allow-scripts allow-same-origin allow-forms'
  for (const options of [{ frameSandbox }, {}]) {
    const widget = makeWidget({ companion: url, container: addContainer(), ...options })
    void widget.open()
    await reaches(widget, 'loaded')
    expect(frames()[0]?.getAttribute('sandbox')).toBe(options.frameSandbox ?? null)
    widget.destroy()
  }
})

test('each permission names the widget’s origin', async () => {
  const { url, widgetUrl } = await createCompanion()
  const permissions = ['payment', 'camera'] as const
  const widget = makeWidget({ companion: url, container: addContainer(), permissions })
  void widget.open()
  await reaches(widget, 'loaded')
  expect(frames()[0]?.allow).toBe(`payment ${widgetUrl};camera ${widgetUrl}`)
})

test('focus() focuses the frame', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, container: addContainer() })
  void widget.open()
  await reaches(widget, 'loaded')
  widget.focus()
  expect(shells()[0]?.activeElement).toBe(frames()[0])
})

// Promise: surface/below-the-fold
test('a frame opened by a click takes the focus without scrolling, and then scrolls into view', async () => {
  setUserActivation(true)
  const focus = vi.spyOn(HTMLElement.prototype, 'focus')
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  onTestFinished(() => void vi.restoreAllMocks())
  const opener = document.body.appendChild(document.createElement('button'))
  onTestFinished(() => opener.remove())
  opener.focus()
  focus.mockClear()
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, container: addContainer() })
  void widget.open()
  await expect.poll(() => scroll.mock.calls).toEqual([[{ block: 'nearest' }]])
  expect(shells()[0]?.host).toMatchObject({ tabIndex: -1 })
  await reaches(widget, 'loaded')
  widget.close()
  await reaches(widget, 'settled')
  expect(focus.mock.calls).toEqual([[{ preventScroll: true }], [{ preventScroll: true }]])
  expect(document.activeElement).toBe(opener)
})

test('a frame that ends leaves the focus where the shopper has moved it', async () => {
  setUserActivation(true)
  const [opener, field] = [document.createElement('button'), document.createElement('input')]
  document.body.append(opener, field)
  onTestFinished(() => [opener, field].forEach((element) => void element.remove()))
  opener.focus()
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, container: addContainer() })
  void widget.open()
  await expect.poll(() => document.activeElement).not.toBe(opener)
  await reaches(widget, 'loaded')
  field.focus()
  widget.close()
  await reaches(widget, 'settled')
  expect(document.activeElement).toBe(field)
})

test('without the user activation API, opening a frame neither scrolls nor moves the focus', async () => {
  setUserActivation(undefined)
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, container: addContainer() })
  void widget.open()
  await reaches(widget, 'loaded')
  expect(document.activeElement).toBe(document.body)
})

test('until the frame loads, it is hidden, and a message with a spinner takes its place', async () => {
  const { byLink } = await createCompanion({ launchStatus: 204 })
  const widget = makeWidget({ ...byLink, container: addContainer(), loadTimeout: 500 })
  void widget.open()
  await expect.poll(() => find('p').textContent).toBe('Loading...')
  expect(getComputedStyle(find('iframe')).visibility).toBe('hidden')
  expect(find('[part=spinner]')).toBeTruthy()
  await expect.poll(() => button('Try again')).toBeTruthy()
  expect(() => find('[part=spinner]')).toThrow()
})

test('help is offered beside the frame with its actions in a menu, and leaving the page does not count as use', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  void widget.open()
  await reaches(widget, 'loaded')
  window.dispatchEvent(new Event('blur'))
  expect(button('Having trouble?').parentElement?.className).toBe('beside')
  button('Having trouble?').click()
  expect(button('Try again').parentElement?.className).toBe('beside menu')
})

test('a frame that has been used no longer offers help, even after it is moved', async () => {
  const { url } = await createCompanion()
  const container = addContainer()
  const widget = makeWidget({ companion: url, container })
  void widget.open()
  await reaches(widget, 'loaded')
  expect(button('Having trouble?')).toBeTruthy()
  frames()[0]?.focus()
  await expect.poll(() => shells()[0]?.querySelector('button')).toBeNull()
  const loads = vi.fn()
  widget.on('load', loads)
  addContainer().append(container)
  await expect.poll(() => loads.mock.calls).toHaveLength(1)
  expect(shells()[0]?.querySelector('button')).toBeNull()
})

test('everything that the loader draws shares one style sheet, and has parts only where they are named', async () => {
  const { url } = await createCompanion()
  for (const container of [addContainer(), addContainer()])
    void makeWidget({ companion: url, container }).open()
  void makeWidget({ companion: url }).open()
  await expect.poll(shells).toHaveLength(3)
  const sheets = shells().flatMap((root) => root.adoptedStyleSheets)
  expect(new Set(sheets).size).toBe(1)
  expect(find('header > span').part).toHaveLength(0)
})

test.each([
  ['ar', 'rtl'],
  ['he-IL', 'rtl'],
  ['es-AR', 'ltr'],
])('text in %s runs %s', async (locale, direction) => {
  const { url } = await createCompanion()
  void makeWidget({ companion: url, locale, strings: { loading: '...' } }).open()
  await expect.poll(shells).toHaveLength(1)
  expect(shells()[0]?.host).toMatchObject({ dir: direction, lang: locale })
})

test('a redirect leaves this page through a link, and ends here with the result redirected', async () => {
  const followed = watchLinks()
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, mode: 'redirect' })
  expect(await widget.open()).toEqual({ status: 'redirected' })
  expect(followed).toEqual([expect.stringContaining('/launch?ticket=')])
  expect(shells()).toEqual([])
})

// Promise: surface/closed-early
test.each([
  ['frame', () => ({ container: addContainer() })],
  ['dialog', () => ({ mode: 'modal' as const })],
])(
  'open() right after the page has removed the %s of a paid purchase reports the purchase, and starts no other',
  async (_, optionsOf) => {
    const companion = await createCompanion()
    const widget = makeWidget({ companion: companion.url, ...optionsOf() })
    const result = widget.open()
    await reaches(widget, 'loaded')
    await companion.set({ purchase: complete })
    shells()[0]?.host.remove()
    // The loss is noticed within 100 ms, and messages are awaited for 700 more.
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(widget.open()).toBe(result)
    expect(await result).toMatchObject({ status: 'success', verified: true })
    expect((await companion.state()).tokens).toBe(1)
  },
)

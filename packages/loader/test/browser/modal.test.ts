// Promise: surface/dialog
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  addContainer,
  button,
  createCompanion,
  drawn,
  find,
  frames,
  makeWidget,
  nextFrame,
  reaches,
  takeTimers,
} from './page.ts'

test('the dialog has an accessible name, and returns the focus when it closes', async () => {
  const { url } = await createCompanion()
  const opener = document.body.appendChild(document.createElement('button'))
  onTestFinished(() => opener.remove())
  opener.focus()
  const widget = makeWidget({ companion: url, title: 'Buy gold' })
  const result = widget.open()
  await drawn()
  const dialog = find<HTMLDialogElement>('dialog')
  expect(dialog.matches(':modal')).toBe(true)
  expect(dialog.ariaLabel).toBe('Buy gold')
  expect((await nextFrame()).title).toBe('Buy gold')
  expect(document.activeElement).not.toBe(opener)
  button('Close').click()
  expect(await result).toEqual({ status: 'closed' })
  expect(document.activeElement).toBe(opener)
})

test('a dialog that the page closes returns the focus too', async () => {
  const { url } = await createCompanion()
  const opener = document.body.appendChild(document.createElement('button'))
  onTestFinished(() => opener.remove())
  opener.focus()
  const widget = makeWidget({ companion: url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  expect(find('dialog')).toMatchObject({ tabIndex: -1 })
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
  expect(document.activeElement).toBe(opener)
})

test('pressing Enter again as the dialog appears does not close it', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const opener = document.body.appendChild(document.createElement('button'))
  onTestFinished(() => opener.remove())
  opener.onclick = () => void widget.open()
  opener.focus()
  await userEvent.keyboard('{Enter}')
  await drawn()
  await userEvent.keyboard('{Enter}')
  await reaches(widget, 'loaded')
  await userEvent.keyboard('{Enter}')
  expect(find<HTMLDialogElement>('dialog').open).toBe(true)
  expect(widget.getSnapshot().status).toBe('loaded')
})

/** Sets a style of an element until the test ends. */
function setStyle({ style }: HTMLElement, css: string): void {
  const before = style.cssText
  style.cssText = css
  onTestFinished(() => {
    style.cssText = before
  })
}

/** How the page behind the dialogs scrolls. */
const overflow = (): string => getComputedStyle(document.documentElement).overflow

test('the page behind the dialog does not scroll until it closes', async () => {
  const { url } = await createCompanion()
  setStyle(document.documentElement, 'overflow: clip')
  const widget = makeWidget({ companion: url })
  const result = widget.open()
  await drawn()
  expect(overflow()).toBe('hidden')
  widget.close()
  await result
  expect(overflow()).toBe('clip')
  // A preloaded dialog that is never shown does not change it.
  const early = makeWidget({ companion: url, preload: 'eager' })
  await expect.poll(() => frames().length).toBe(1)
  expect(overflow()).toBe('clip')
  early.destroy()
  expect(frames()).toEqual([])
  expect(overflow()).toBe('clip')
})

test.each([
  ['in which they were opened', [0, 1]],
  ['opposite to that', [1, 0]],
] as const)('two dialogs closed in the order %s leave the page’s own style', async (_, order) => {
  setStyle(document.documentElement, 'overflow: clip')
  const { url } = await createCompanion()
  const widgets = [makeWidget({ companion: url }), makeWidget({ companion: url })]
  const results = widgets.map((widget) => widget.open())
  await drawn()
  expect(overflow()).toBe('hidden')
  for (const [closed, index] of order.entries()) {
    widgets[index]?.close()
    await results[index]
    expect(overflow()).toBe(closed === 0 ? 'hidden' : 'clip')
  }
})

test('the page scrolls again after both its own dialog and this one have closed, in whatever order they opened and closed', async () => {
  const { url } = await createCompanion()
  const root = document.documentElement
  setStyle(root, '')
  let before = ''
  const own = {
    open() {
      before = root.style.overflow
      root.style.overflow = 'hidden'
    },
    close() {
      root.style.overflow = before
    },
  }
  for (const [first, last] of [
    ['own', 'own'],
    ['own', 'ours'],
    ['ours', 'own'],
    ['ours', 'ours'],
  ]) {
    const widget = makeWidget({ companion: url })
    const opens = [own.open, () => void widget.open()]
    const closes = [own.close, () => widget.close()]
    for (const open of first === 'own' ? opens : opens.reverse()) open()
    await reaches(widget, 'loaded')
    const [one, other] = last === 'own' ? closes.reverse() : closes
    one?.()
    expect(overflow(), `${first} opened first, ${last} closed last`).toBe('hidden')
    other?.()
    await reaches(widget, 'settled')
    expect(overflow(), `${first} opened first, ${last} closed last`).toBe('visible')
  }
})

test('a page that has replaced its style sheets keeps the new ones when the dialog closes', async () => {
  const { url } = await createCompanion()
  onTestFinished(() => {
    document.adoptedStyleSheets = []
  })
  const widget = makeWidget({ companion: url })
  void widget.open()
  await reaches(widget, 'loaded')
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [sheet]
  widget.close()
  await reaches(widget, 'settled')
  expect(document.adoptedStyleSheets).toEqual([sheet])
})

/** What a click in the middle of an element hits. */
function hitAt(element: Element): Element | null | undefined {
  const { left, top, width, height } = element.getBoundingClientRect()
  const middle = [left + width / 2, top + height / 2] as const
  const hit = document.elementFromPoint(...middle)
  return hit?.shadowRoot?.elementFromPoint(...middle) ?? hit
}

test('the dialog can be clicked where the page’s own dialog has made its body deaf to clicks, and a frame in the page cannot', async () => {
  setStyle(document.body, 'pointer-events: none')
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  void widget.open()
  await reaches(widget, 'loaded')
  expect(hitAt(button('Close'))).toBe(button('Close'))
  expect(hitAt(find('iframe'))).toBe(find('iframe'))
  widget.destroy()
  const inPage = makeWidget({ companion: url, container: addContainer() })
  void inPage.open()
  await reaches(inPage, 'loaded')
  expect(hitAt(find('iframe'))).toBe(document.documentElement)
})

test('on a phone the dialog is as wide as the screen and reaches its lower edge', async () => {
  await page.viewport(390, 800)
  onTestFinished(() => page.viewport(414, 896))
  const { url } = await createCompanion()
  makeWidget({ companion: url }).open()
  await drawn()
  const { left, right, top, bottom } = find('dialog').getBoundingClientRect()
  expect({ left, right, bottom }).toEqual({ left: 0, right: 390, bottom: 800 })
  expect(top).toBeGreaterThan(0)
})

test('Esc closes the dialog', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await userEvent.keyboard('{Escape}')
  expect(await result).toEqual({ status: 'closed' })
})

/** Adds a style sheet to the page, and removes it after the test. */
function addStyle(css: string): void {
  const style = document.head.appendChild(document.createElement('style'))
  onTestFinished(() => style.remove())
  style.textContent = css
}

// Promise: surface/theme
test('the merchant sets texts, language, direction, theme, custom properties and parts; by default the theme is the system’s', async () => {
  addStyle(
    ':root { --purchase-widget-background: rgb(1, 2, 3); --purchase-widget-radius: 3px } div::part(close) { color: rgb(4, 5, 6) }',
  )
  const { url } = await createCompanion()
  const plain = makeWidget({ companion: url })
  plain.open()
  await drawn()
  expect(getComputedStyle(find('dialog')).colorScheme).toBe('light dark')
  plain.destroy()
  makeWidget({ companion: url, theme: 'dark', locale: 'ar', strings: { close: 'إغلاق' } }).open()
  await drawn()
  const dialog = find<HTMLDialogElement>('dialog')
  const { backgroundColor, borderTopLeftRadius, colorScheme } = getComputedStyle(dialog)
  expect([backgroundColor, borderTopLeftRadius, colorScheme]).toEqual(['rgb(1, 2, 3)', '3px', 'dark'])
  expect(getComputedStyle(button('إغلاق')).color).toBe('rgb(4, 5, 6)')
  const host = (dialog.getRootNode() as ShadowRoot).host as HTMLElement
  expect([host.lang, host.dir]).toEqual(['ar', 'rtl'])
  expect(button('إغلاق').getBoundingClientRect().left).toBeLessThan(innerWidth / 2)
  expect(getComputedStyle(await nextFrame()).colorScheme).toBe('dark')
})

test('the page’s own styles do not reach what the loader draws', async () => {
  addStyle('iframe, button, dialog { display: none !important } div:empty { display: none }')
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  widget.open()
  await reaches(widget, 'loaded')
  expect(frames()[0]?.checkVisibility()).toBe(true)
  expect(find('dialog').checkVisibility()).toBe(true)
  expect(button('Close').getBoundingClientRect().height).toBeGreaterThan(0)
})

// Promise: surface/dialog
test('the frame stays hidden until it has loaded, so that nothing flashes', async () => {
  const { url } = await createCompanion({ tokenDelay: 100 })
  const widget = makeWidget({ companion: url })
  widget.open()
  await drawn()
  const appearing = nextFrame()
  await expect.poll(() => find('p').textContent).toBe('Loading...')
  const frame = await appearing
  expect(getComputedStyle(frame).visibility).toBe('hidden')
  await reaches(widget, 'loaded')
  expect(getComputedStyle(frame).visibility).toBe('visible')
})

test.each([320, 1280])(
  'on a screen %i px wide, opening the menu moves neither the close control nor the widget',
  async (width) => {
    await page.viewport(width, 640)
    onTestFinished(() => page.viewport(414, 896))
    const { url } = await createCompanion()
    const widget = makeWidget({ companion: url })
    const place = (): object => button('Close').getBoundingClientRect().toJSON()
    widget.open()
    await drawn()
    const first = place()
    const { top } = (await nextFrame()).getBoundingClientRect()
    await expect.poll(() => button('Having trouble?')).toBeTruthy()
    expect(place()).toEqual(first)
    // Nor does the widget move, under the finger that touches it first.
    expect(frames()[0]?.getBoundingClientRect().top).toBe(top)
    button('Having trouble?').click()
    expect(button('Dismiss').checkVisibility()).toBe(true)
    expect(place()).toEqual(first)
    expect(frames()[0]?.getBoundingClientRect().top).toBe(top)
    const menu = button('Dismiss').parentElement?.getBoundingClientRect()
    expect(menu?.left).toBeGreaterThanOrEqual(0)
    expect(menu?.top).toBeGreaterThanOrEqual(button('Close').getBoundingClientRect().bottom)
  },
)

// Promise: surface/announced
// Promise: surface/give-up
test('the dialog shows that it is loading, shows after five seconds that it takes longer, and can be cancelled', async () => {
  takeTimers()
  const { url } = await createCompanion({ tokenDelay: 6_000 })
  const widget = makeWidget({ companion: url })
  const result = widget.open()
  await drawn()
  // A screen reader announces only text that is added to an existing region.
  expect(find('[role=status] p').textContent).toBe('')
  await vi.advanceTimersByTimeAsync(1)
  expect(find('[part=notice]').textContent).toBe('Loading...Cancel')
  expect(find('[part=spinner]').checkVisibility()).toBe(true)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(find('p').textContent).toBe('Loading...')
  await vi.advanceTimersByTimeAsync(1_500)
  expect(find('p').textContent).toBe('Still connecting...')
  button('Cancel').click()
  expect(await result).toEqual({ status: 'closed' })
  expect(frames()).toEqual([])
})

// Promise: surface/dialog
test('the request is sent before anything is drawn', async () => {
  const { url } = await createCompanion()
  const drawnBefore: number[] = []
  const { fetch } = window
  window.fetch = (...parameters) => {
    drawnBefore.push(document.querySelectorAll('div').length)
    return fetch(...parameters)
  }
  onTestFinished(() => {
    window.fetch = fetch
  })
  const before = document.querySelectorAll('div').length
  makeWidget({ companion: url }).open()
  await drawn()
  expect(drawnBefore).toEqual([before])
  await nextFrame()
})

test('the next try after a failure reuses the dialog', async () => {
  const companion = await createCompanion({ tokenStatus: 500 })
  const { showModal } = HTMLDialogElement.prototype
  // As in browsers that follow the first version of the standard.
  HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
    if (this.open) throw new DOMException('It is open.', 'InvalidStateError')
    showModal.call(this)
  }
  onTestFinished(() => {
    HTMLDialogElement.prototype.showModal = showModal
  })
  const widget = makeWidget({ companion: companion.url })
  widget.open()
  await expect.poll(() => button('Try again')).toBeTruthy()
  const dialog = find('dialog')
  await companion.set({ tokenStatus: 200 })
  button('Try again').click()
  await reaches(widget, 'loaded')
  expect(find('dialog')).toBe(dialog)
})

test('the header shows the title, and truncates neither a long title nor the close control at 320 px', async () => {
  await page.viewport(320, 640)
  onTestFinished(() => page.viewport(414, 896))
  const { url } = await createCompanion()
  const title = 'Donaudampfschifffahrtsgesellschaft, a season ticket'
  makeWidget({ companion: url, title }).open()
  await expect.poll(() => button('Having trouble?')).toBeTruthy()
  const header = find('header')
  expect(header.textContent).toContain(title)
  for (const element of [header, ...header.querySelectorAll('*')]) {
    expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth || element.scrollWidth)
    expect(element.getBoundingClientRect().right).toBeLessThanOrEqual(320)
  }
})

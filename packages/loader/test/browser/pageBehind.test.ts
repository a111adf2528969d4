// Promise: surface/dialog
/** The page behind what the loader draws: a host element at the end of its body or root takes no room in it. */
import { expect, onTestFinished, test } from 'vitest'
import {
  addContainer,
  button,
  createCompanion,
  find,
  makeWidget,
  pending,
  reaches,
  shells,
  watchWindows,
} from './page.ts'

/** Adds a shop with these styles, and returns a function that measures it. */
function addShop(css: string): () => object {
  const style = document.head.appendChild(document.createElement('style'))
  style.textContent = css
  const parts = ['main', 'footer'].map((name) => document.body.appendChild(document.createElement(name)))
  for (const part of parts) part.textContent = 'Shop'
  onTestFinished(() => [style, ...parts].forEach((each) => void each.remove()))
  const { documentElement } = document
  return () => ({
    parts: parts.map((part) => part.getBoundingClientRect().toJSON()),
    height: documentElement.scrollHeight,
    width: documentElement.scrollWidth,
  })
}

const layouts = [
  [
    'has a footer at the lower edge of the window',
    'body { margin: 0; min-height: 100vh; display: flex; flex-direction: column } main { flex: 1 }',
  ],
  [
    'is a column as tall as the window',
    'body { margin: 0; height: 100vh; display: flex; flex-direction: column; justify-content: space-between }',
  ],
  ['is a grid with gaps', 'body { margin: 0; height: 100vh; display: grid; gap: 1rem }'],
  ['and its body are as tall as the window', 'html, body { height: 100%; margin: 0 }'],
  ['is a flex container itself', 'html { display: flex; gap: 1rem } body { flex: 1 }'],
  ['has a style for every div of its own', 'html > div, body > div { min-height: 100vh; padding: 1rem }'],
] as const

test.each(
  layouts.flatMap(([what, css]) => (['modal', 'popup'] as const).map((mode) => [mode, what, css] as const)),
)('opening the %s moves nothing in a page that %s', async (mode, _, css) => {
  watchWindows()
  const measure = addShop(css)
  const before = measure()
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, mode })
  void widget.open()
  await reaches(widget, mode === 'modal' ? 'loaded' : 'loading')
  expect(find(mode === 'modal' ? 'dialog' : '[part=bar]').checkVisibility()).toBe(true)
  expect(measure()).toEqual(before)
})

test('a frame in the page fills its container, and is never lower than 40rem', async () => {
  const container = addContainer()
  container.style.height = '900px'
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, container })
  void widget.open()
  await reaches(widget, 'loaded')
  const { height, width, top } = find('iframe').getBoundingClientRect()
  const place = container.getBoundingClientRect()
  expect({ top, width }).toEqual({ top: place.top, width: place.width })
  // The button with which the frame offers help is below it.
  expect(height).toBeGreaterThan(850)
  container.style.height = ''
  expect(container.getBoundingClientRect().height).toBe(640)
})

/** What a click in the middle of a button hits. */
function hitAt(element: Element): Element | null | undefined {
  const { left, top, width, height } = element.getBoundingClientRect()
  const middle = [left + width / 2, top + height / 2] as const
  const hit = document.elementFromPoint(...middle)
  return hit?.shadowRoot?.elementFromPoint(...middle) ?? hit
}

/** Opens a modal dialog of the shop. */
function addDialog(parent: Element = document.body): HTMLDialogElement {
  const dialog = parent.appendChild(document.createElement('dialog'))
  onTestFinished(() => dialog.remove())
  dialog.append('Shop')
  dialog.showModal()
  return dialog
}

// Promise: surface/give-up
test('the bar’s buttons can be pressed in a page with modal dialogs, whichever of them open, close, are drawn again or removed', async () => {
  watchWindows()
  const { url } = await createCompanion()
  const outer = addDialog()
  const widget = makeWidget({ companion: url, mode: 'popup' })
  void widget.open()
  const isHit = (): boolean => hitAt(button('Cancel')) === button('Cancel')
  expect(isHit()).toBe(true)
  const inner = addDialog(outer)
  await expect.poll(isHit).toBe(true)
  inner.innerHTML = ''
  await expect.poll(isHit).toBe(true)
  inner.close()
  await expect.poll(isHit).toBe(true)
  outer.remove()
  await expect.poll(isHit).toBe(true)
  expect(find('[part=bar]').getBoundingClientRect()).toMatchObject({ left: 0, bottom: innerHeight })
  button('Cancel').click()
  await reaches(widget, 'settled')
  expect(shells()).toEqual([])
})

test('the bar’s buttons can be pressed in a page whose own dialog has made its body deaf to clicks', async () => {
  watchWindows()
  document.body.style.pointerEvents = 'none'
  onTestFinished(() => document.body.removeAttribute('style'))
  const { url } = await createCompanion()
  addDialog()
  void makeWidget({ companion: url, mode: 'popup' }).open()
  expect(hitAt(button('Cancel'))).toBe(button('Cancel'))
})

test('a page that removes the bar is left without it until the next one', async () => {
  watchWindows()
  const { url } = await createCompanion()
  void makeWidget({ companion: url, mode: 'popup' }).open()
  const stack = shells()[0]?.host.parentElement
  stack?.remove()
  addContainer()
  await new Promise((resolve) => setTimeout(resolve))
  expect(stack?.isConnected).toBe(false)
  void makeWidget({ companion: url, mode: 'popup' }).open()
  expect(stack?.isConnected).toBe(true)
})

test('the bars of an open window and of a payment under way are one above the other', async () => {
  watchWindows()
  const { url, set } = await createCompanion()
  const first = makeWidget({ companion: url, mode: 'popup' })
  void first.open()
  await reaches(first, 'loading')
  await set({ purchase: pending })
  const second = makeWidget({ companion: url })
  void second.open()
  await expect.poll(() => button('Dismiss')).toBeTruthy()
  const bars = (): Element[] => shells().flatMap((root) => [...root.querySelectorAll('[part=bar]')])
  const [upper, lower] = bars().map((bar) => bar.getBoundingClientRect())
  expect(lower).toMatchObject({ top: upper?.bottom, bottom: innerHeight })
  for (const name of ['I have finished', 'Cancel', 'Dismiss']) expect(hitAt(button(name))).toBe(button(name))
  first.destroy()
  expect(bars().map((bar) => bar.textContent)).toEqual([expect.stringContaining('Dismiss')])
  button('Dismiss').click()
  await expect.poll(bars).toEqual([])
})

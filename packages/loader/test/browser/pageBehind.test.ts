// Promise: surface/dialog
/** The page behind what the loader draws: a host element at the end of its body or root takes no room in it. */
import { expect, onTestFinished, test } from 'vitest'
import { addContainer, createCompanion, find, makeWidget, reaches, watchWindows } from './page.ts'

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

// Promise: surface/below-the-fold
/** A frame in the page that is below the visible part of the page when it opens. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PurchaseWidget } from '../../src/index.ts'
import { addContainer, createCompanion, frames, makeWidget, reaches } from './page.ts'

/** The narrowest phones, and the most common width. */
const widths = [320, 390]

function put<Tag extends 'button' | 'input'>(name: Tag): HTMLElementTagNameMap[Tag] {
  const element = document.body.appendChild(document.createElement(name))
  onTestFinished(() => element.remove())
  return element
}

/** A widget whose container is below a screenful of other content. */
async function makeBelow(): Promise<PurchaseWidget> {
  const space = document.body.appendChild(document.createElement('div'))
  space.style.height = '700px'
  onTestFinished(() => {
    space.remove()
    scrollTo(0, 0)
  })
  return makeWidget({ companion: (await createCompanion()).url, container: addContainer() })
}

const top = (): number => frames()[0]?.getBoundingClientRect().top ?? Number.NaN

describe.each(widths)('at %i px', (width) => {
  beforeEach(async () => {
    await page.viewport(width, 640)
    return () => page.viewport(414, 896)
  })

  test('a frame opened by a click scrolls into view and takes the focus, and closing it returns the focus', async () => {
    const buy = put('button')
    const widget = await makeBelow()
    buy.onclick = () => void widget.open()
    await userEvent.click(buy)
    await expect.poll(top).toBeLessThan(320)
    expect(innerWidth).toBe(width)
    expect(frames()[0]?.getBoundingClientRect().right).toBeLessThanOrEqual(width)
    expect(document.activeElement?.shadowRoot?.querySelector('iframe')).toBe(frames()[0])
    await reaches(widget, 'loaded')
    widget.close()
    await reaches(widget, 'settled')
    expect(document.activeElement).toBe(buy)
  })

  test('a frame that opens while the shopper types neither scrolls the page nor moves the focus', async () => {
    const field = put('input')
    const widget = await makeBelow()
    field.oninput = () => void widget.open()
    await userEvent.click(field)
    await userEvent.keyboard('1')
    await reaches(widget, 'loaded')
    expect(scrollY).toBe(0)
    expect(document.activeElement).toBe(field)
  })
})

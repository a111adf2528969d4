// Promise: loader/languages-fit
/** Every language on every surface, 320 px wide: nothing is cut off, and nothing makes the page scroll sideways. */
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { languages } from '../../src/languages.ts'
import { parseOptions } from '../../src/opening/options.ts'
import { createFrame } from '../../src/surfaces/frame.ts'
import { createModal } from '../../src/surfaces/modal.ts'
import { createWindow } from '../../src/surfaces/popup.ts'
import { createBar } from '../../src/surfaces/shell.ts'
import type { Host, Surface } from '../../src/surfaces/surface.ts'
import type { WidgetStrings } from '../../src/types.ts'
import { addContainer } from './page.ts'

const nothing = (): void => {}
const listeners = {
  onload: nothing,
  onrestart: nothing,
  onlost: nothing,
  onclose: nothing,
  oncancel: nothing,
  onfinish: nothing,
  setNotice: nothing,
}

/** Shows every message of the loader on a surface, one after another. */
function* sayings({ setNotice }: Pick<Surface, 'setNotice'>, strings: WidgetStrings): Generator<void> {
  yield setNotice(strings.connecting, { cancel: nothing }, true)
  yield setNotice(`${strings.failed} ${strings.notCharged}`, {
    retry: nothing,
    openInNewWindow: nothing,
    cancel: nothing,
  })
  yield setNotice(strings.failed, { retry: nothing, cancel: nothing })
  yield setNotice(strings.confirming, {}, true)
  yield setNotice(strings.notConfirmed, { askAgain: nothing, dismiss: nothing })
  yield setNotice(strings.underReview, { dismiss: nothing })
  yield setNotice(strings.inOtherWindow, { bringToFront: nothing, finished: nothing })
  yield setNotice(undefined, { trouble: nothing })
  yield setNotice(undefined, { retry: nothing, openInNewWindow: nothing, dismiss: nothing })
  yield setNotice()
}

/** Elements that overflow their box or the page. */
function overflowing(view: Window = window): string[] {
  const roots = [...view.document.querySelectorAll('div')].flatMap(({ shadowRoot }) => shadowRoot ?? [])
  const drawn = roots.flatMap((root) => [...root.querySelectorAll('*')])
  const wide = drawn.filter((element) => {
    // The frame belongs to the widget, and the spinner rotates.
    if (['iframe', 'i'].includes(element.localName)) return false
    const { left, right } = element.getBoundingClientRect()
    const isCut = element.clientWidth > 0 && element.scrollWidth > element.clientWidth
    return isCut || left < -0.5 || right > view.innerWidth + 0.5
  })
  const { scrollWidth, clientWidth } = view.document.documentElement
  const sideways = scrollWidth > clientWidth ? ['page'] : []
  return [...wide.map(({ localName, textContent }) => `${localName}: ${textContent}`), ...sideways]
}

const hostOf = (locale: string, strings: WidgetStrings, container?: Element): Host => ({
  ...parseOptions({ companion: '/nowhere', locale, strings, ...(container && { container }) }),
  ...listeners,
})

test.each(Object.entries(languages))(
  'every sentence of %s fits on every surface at 320 px',
  async (language, strings) => {
    await page.viewport(320, 640)
    onTestFinished(() => page.viewport(414, 896))
    const surfaces: Record<string, () => Pick<Surface, 'setNotice' | 'remove'>> = {
      modal: () => createModal(hostOf(language, strings)),
      frame: () => createFrame(hostOf(language, strings, addContainer())),
      bar: () => {
        const setNotice = createBar(() => hostOf(language, strings))
        return { setNotice, remove: () => setNotice() }
      },
    }
    for (const [name, open] of Object.entries(surfaces)) {
      const surface = open()
      if ('show' in surface) (surface as Surface).show()
      for (const _said of sayings(surface, strings)) expect(overflowing(), name).toEqual([])
      surface.remove()
    }

    const view = open('', language, 'width=320,height=640')
    if (!view) throw new Error('The browser has opened no window.')
    const popup = createWindow({ ...hostOf(language, strings), mode: 'popup' }, view, language, false)
    await expect.poll(() => view.innerWidth).toBe(320)
    for (const _said of sayings(popup, strings)) expect(overflowing(view), 'popup').toEqual([])
    popup.remove()
  },
)

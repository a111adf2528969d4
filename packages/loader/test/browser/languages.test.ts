/** Every language on every surface, 320 px wide: nothing is cut off, and nothing makes the page scroll sideways. */
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { parseOptions } from '../../src/opening/options.ts'
import type { Settings } from '../../src/settings.ts'
import { createBar } from '../../src/surfaces/bar.ts'
import { createFrame } from '../../src/surfaces/frame.ts'
import { createModal } from '../../src/surfaces/modal.ts'
import { openWindow } from '../../src/surfaces/popup.ts'
import type { Surface } from '../../src/surfaces/surface.ts'
import type { WidgetStrings } from '../../src/types.ts'
import { addContainer } from './page.ts'

const files = import.meta.glob<{ strings: WidgetStrings }>('../../src/locales/*.ts', { eager: true })
const languages = Object.entries(files).map(
  ([path, { strings }]) => [path.replace(/.*\/|\.ts$/g, ''), strings] as const,
)

const nothing = (): void => {}
const listeners = { onload: nothing, onmove: nothing, onlost: nothing, onclose: nothing }

/** All that the loader says on a surface, one after another. */
function* sayings(surface: Pick<Surface, 'say' | 'offer'>): Generator<void> {
  yield surface.say('connecting', { cancel: nothing }, true)
  yield surface.say('notLoading', { retry: nothing, openInNewWindow: nothing })
  yield surface.say('failed', { retry: nothing, cancel: nothing })
  yield surface.say('confirming', {}, true)
  yield surface.say('notConfirmed', { askAgain: nothing, dismiss: nothing })
  yield surface.say('underReview', { dismiss: nothing })
  yield surface.say('inOtherWindow', { bringToFront: nothing, finished: nothing })
  yield surface.say()
  yield surface.offer?.({ trouble: nothing })
  yield surface.offer?.({ retry: nothing, openInNewWindow: nothing, dismiss: nothing })
}

/** What sticks out of its place, or out of its page. */
function overflowing(view: Window = window): string[] {
  const roots = [...view.document.querySelectorAll('div')].flatMap(({ shadowRoot }) => shadowRoot ?? [])
  const drawn = roots.flatMap((root) => [...root.querySelectorAll('*')])
  const wide = drawn.filter((element) => {
    // The widget's own business, and a spinner turns.
    if (['iframe', 'i'].includes(element.localName)) return false
    const { left, right } = element.getBoundingClientRect()
    const isCut = element.clientWidth > 0 && element.scrollWidth > element.clientWidth
    return isCut || left < -0.5 || right > view.innerWidth + 0.5
  })
  const { scrollWidth, clientWidth } = view.document.documentElement
  const sideways = scrollWidth > clientWidth ? ['page'] : []
  return [...wide.map(({ localName, textContent }) => `${localName}: ${textContent}`), ...sideways]
}

const settingsOf = (locale: string, strings: WidgetStrings, container?: Element): Settings =>
  parseOptions({ companion: '/nowhere', locale, strings, ...(container && { container }) })

test.each(languages)('%s fits', async (language, strings) => {
  await page.viewport(320, 640)
  onTestFinished(() => page.viewport(414, 896))
  const surfaces: Record<string, () => Pick<Surface, 'say' | 'offer' | 'remove'>> = {
    modal: () => createModal(settingsOf(language, strings), listeners),
    frame: () => {
      const container = addContainer()
      return createFrame(settingsOf(language, strings, container), listeners)
    },
    bar: () => {
      const say = createBar(settingsOf(language, strings))
      return { say, remove: () => say() }
    },
  }
  for (const [name, open] of Object.entries(surfaces)) {
    const surface = open()
    if ('show' in surface) (surface as Surface).show()
    for (const _said of sayings(surface)) expect(overflowing(), name).toEqual([])
    surface.remove()
  }

  const popup = openWindow(
    { ...settingsOf(language, strings), popup: { width: 320, height: 640 } },
    listeners,
    true,
  )
  const view = popup?.view()
  if (!popup || !view) throw new Error('The browser has opened no window.')
  await expect.poll(() => view.innerWidth).toBe(320)
  for (const _said of sayings(popup)) expect(overflowing(view), 'popup').toEqual([])
  popup.remove()
})

import { expect, onTestFinished, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { button, createCompanion, drawn, find, frames, makeWidget, reaches } from './page.ts'

test('the dialog is named, and gives the focus back when it closes', async () => {
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
  expect(frames()[0]?.title).toBe('Buy gold')
  expect(document.activeElement).not.toBe(opener)
  button('Close').click()
  expect(await result).toEqual({ status: 'closed' })
  expect(document.activeElement).toBe(opener)
})

test('Esc closes it', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await userEvent.keyboard('{Escape}')
  expect(await result).toEqual({ status: 'closed' })
})

test('texts can be replaced, and a locale sets language and direction', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, locale: 'ar', strings: { close: 'إغلاق' } })
  widget.open()
  await drawn()
  const host = (find('dialog').getRootNode() as ShadowRoot).host as HTMLElement
  expect([host.lang, host.dir]).toEqual(['ar', 'rtl'])
  expect(button('إغلاق').getBoundingClientRect().left).toBeLessThan(innerWidth / 2)
})

test('the theme is the system’s unless the merchant says otherwise', async () => {
  const { url } = await createCompanion()
  const plain = makeWidget({ companion: url })
  plain.open()
  await drawn()
  expect(getComputedStyle(find('dialog')).colorScheme).toBe('light dark')
  plain.destroy()
  makeWidget({ companion: url, theme: 'dark' }).open()
  await drawn()
  const dialog = find<HTMLDialogElement>('dialog')
  expect(getComputedStyle(dialog).colorScheme).toBe('dark')
  expect(getComputedStyle(frames()[0] as Element).colorScheme).toBe('dark')
})

test('the page’s own styles do not reach what the loader draws', async () => {
  const style = document.head.appendChild(document.createElement('style'))
  onTestFinished(() => style.remove())
  style.textContent = 'iframe, button, dialog { display: none !important }'
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  widget.open()
  await reaches(widget, 'loaded')
  expect(frames()[0]?.checkVisibility()).toBe(true)
  expect(button('Close').checkVisibility()).toBe(true)
})

test('the frame stays out of sight until it has loaded, so that nothing flashes', async () => {
  const { url } = await createCompanion({ tokenDelay: 100 })
  const widget = makeWidget({ companion: url })
  widget.open()
  await drawn()
  const [frame] = frames()
  expect(getComputedStyle(frame as Element).visibility).toBe('hidden')
  expect(find('p').textContent).toBe('Loading...')
  await reaches(widget, 'loaded')
  expect(getComputedStyle(frame as Element).visibility).toBe('visible')
})

import { expect, test } from 'vitest'
import { addContainer, button, createCompanion, frames, makeWidget, reaches, record } from './page.ts'

test('a widget that does not load offers a way out, and says load_timeout once', async () => {
  const { widgetUrl } = await createCompanion()
  const widget = makeWidget({ widgetUrl: `${widgetUrl}/hang`, accessToken: 'canary-token', loadTimeout: 300 })
  const errors = record(widget, 'error')
  widget.open()
  await expect.poll(() => button('Try again')).toBeTruthy()
  expect(button('Open in new window')).toBeTruthy()
  expect(widget.getSnapshot().status).toBe('loading')
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(errors.map(({ code }) => code)).toEqual(['load_timeout'])
  expect(String(errors[0]?.stack) + errors[0]?.message).not.toContain('canary-token')
})

test('a page that loads but never says that it is ready gets the way out too, without an error', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, loadTimeout: 2_500 })
  const errors = record(widget, 'error')
  widget.open()
  await reaches(widget, 'loaded')
  await expect.poll(() => button('Try again')).toBeTruthy()
  expect(errors).toEqual([])
})

test('no way out disturbs a shopper who is typing in the widget', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, loadTimeout: 2_500 })
  widget.open()
  await reaches(widget, 'loaded')
  widget.focus()
  await new Promise((resolve) => setTimeout(resolve, 3_500))
  expect(() => button('Try again')).toThrow()
})

test('trying again fetches a new token and loads the frame anew', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url, container: addContainer(), loadTimeout: 300 })
  const loads = record(widget, 'load')
  widget.open()
  await reaches(widget, 'loaded')
  await expect.poll(() => button('Try again')).toBeTruthy()
  button('Try again').click()
  await expect.poll(() => loads.length).toBe(2)
  expect((await companion.state()).tokens).toBe(2)
  expect(frames()).toHaveLength(1)
})

test('a new window replaces the frame', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, loadTimeout: 300 })
  widget.open()
  await expect.poll(() => button('Open in new window')).toBeTruthy()
  button('Open in new window').click()
  await expect.poll(() => widget.getSnapshot()).toEqual({ status: 'loaded', mode: 'popup' })
  expect(frames()).toEqual([])
})

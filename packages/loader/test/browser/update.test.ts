// Promise: loader/update
/** `update()`: a widget applies new options without losing a purchase under way. */
import { expect, test } from 'vitest'
import { addContainer, complete, createCompanion, find, frames, makeWidget, paid, reaches } from './page.ts'

const products = (asked: { params?: Record<string, string> }[]): unknown[] =>
  asked.map(({ params }) => params?.product_id)

/** A frame in the page, once it has loaded. */
async function openFrame() {
  const companion = await createCompanion()
  const options = { companion: companion.url, container: addContainer() }
  const widget = makeWidget(options)
  const result = widget.open()
  await reaches(widget, 'loaded')
  return { companion, options, widget, result }
}

test.each([
  ['a dialog', () => ({})],
  ['a frame in the page that is to become a dialog', () => ({ container: addContainer() })],
])('%s stays while it is open, and the next opening uses the new options', async (_, placed) => {
  const companion = await createCompanion()
  const options = { companion: companion.url, params: { product_id: 'gold-100' } }
  const widget = makeWidget({ ...options, ...placed() })
  const result = widget.open()
  await reaches(widget, 'loaded')
  const [frame] = frames()
  expect(widget.update({ ...options, params: { product_id: 'gold-550' } })).toBe(true)
  expect(frames()).toEqual([frame])
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
  widget.open()
  await reaches(widget, 'loaded')
  expect(products((await companion.state()).asked)).toEqual(['gold-100', 'gold-550'])
})

test('a dialog that is to become a frame in the page stays while it is open', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  void widget.open()
  await reaches(widget, 'loaded')
  const [frame] = frames()
  widget.update({ companion: url, container: addContainer() })
  expect(frames()).toEqual([frame])
})

test('a frame in the page is reopened, and its promise stays pending', async () => {
  const { companion, options, widget, result } = await openFrame()
  const [frame] = frames()
  widget.update({ ...options, params: { product_id: 'gold-550' } })
  await expect.poll(() => frames().length === 1 && frames()[0] !== frame).toBe(true)
  await reaches(widget, 'loaded')
  expect(products((await companion.state()).asked)).toEqual([undefined, 'gold-550'])
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
})

test('a frame in the page that was paid in is not reopened, and its result is reported', async () => {
  const { companion, options, widget, result } = await openFrame()
  await companion.set({ purchase: complete })
  widget.update({ ...options, params: { product_id: 'gold-550' } })
  expect(await result).toMatchObject({ status: 'success', verified: true })
  expect((await companion.state()).tokens).toBe(1)
})

test.each(['complete', 'pending'])(
  'the widget reports the purchase of the frame that another product replaced: %s',
  async (status) => {
    const { companion, options, widget, result } = await openFrame()
    const order = { ...paid, product_id: 'gold-100' }
    await companion.set({ purchase: { ...complete, status, order } })
    widget.update({ ...options, params: { product_id: 'gold-550' } })
    // Options may change again while the page asks.
    widget.update({ ...options, params: { product_id: 'gold-990' } })
    if (status === 'pending') await expect.poll(() => find('aside').textContent).toContain('being processed')
    await companion.set({ purchase: { ...complete, order } })
    expect(await result).toMatchObject({
      status: 'success',
      verified: true,
      order: { product_id: 'gold-100' },
    })
    // It is the result of this opening alone.
    widget.open()
    await reaches(widget, 'loaded')
    expect((await companion.state()).tokens).toBe(2)
  },
)

test('while the widget waits for the purchase of its replaced frame, it alone reports that purchase', async () => {
  const { companion, options, widget, result } = await openFrame()
  const order = { ...paid, product_id: 'gold-100' }
  await companion.set({ purchase: { status: 'pending', order } })
  widget.update({ ...options, params: { product_id: 'gold-550' } })
  await expect.poll(() => find('aside').textContent).toContain('being processed')
  const other = makeWidget({ companion: companion.url }).open()
  await companion.set({ purchase: { ...complete, order } })
  expect([await result, await other]).toMatchObject([{ status: 'success' }, { status: 'closed' }])
})

test('a purchase that was paid in the replaced frame is reported by the next opening, if the shopper gives up before the answer', async () => {
  const { companion, options, widget, result } = await openFrame()
  const order = { ...paid, product_id: 'gold-100' }
  await companion.set({ purchase: { ...complete, order }, purchaseDelay: 500 })
  widget.update({ ...options, params: { product_id: 'gold-550' } })
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
  expect(await widget.open()).toMatchObject({ status: 'success', order: { product_id: 'gold-100' } })
})

test('a frame in the page is not reopened while its result is looked up', async () => {
  const { companion, options, widget, result } = await openFrame()
  await companion.set({ purchaseDelay: 500 })
  widget.close()
  widget.update({ ...options, params: { product_id: 'gold-550' } })
  expect(await result).toEqual({ status: 'closed' })
  expect(frames()).toEqual([])
  expect((await companion.state()).tokens).toBe(1)
})

test('a frame preloaded with older options is discarded', async () => {
  const companion = await createCompanion()
  const options = { companion: companion.url, preload: 'eager' } as const
  const widget = makeWidget(options)
  await expect.poll(frames).toHaveLength(1)
  const [early] = frames()
  widget.update({ ...options, params: { product_id: 'gold-550' } })
  await expect.poll(() => frames().length === 1 && frames()[0] !== early).toBe(true)
  expect(find<HTMLDialogElement>('dialog').open).toBe(false)
  expect(widget.getSnapshot().status).toBe('idle')
  widget.open()
  await reaches(widget, 'loaded')
  expect(products((await companion.state()).asked).at(-1)).toBe('gold-550')
})

test('a container that becomes visible preloads nothing for options that have been replaced', async () => {
  const companion = await createCompanion()
  const container = addContainer()
  container.style.marginTop = '9000px'
  const options = { companion: companion.url, container }
  makeWidget({ ...options, preload: 'intent' }).update({ ...options, preload: 'none' })
  // By then an observer has reported what is visible.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  container.style.marginTop = '0'
  makeWidget({ ...options, preload: 'intent' })
  await expect.poll(async () => (await companion.state()).tokens).toBe(1)
  expect((await companion.state()).asked).toHaveLength(1)
})

test('a frame moves to a new container, and a destroyed widget accepts no options', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url, container: addContainer() })
  widget.open()
  await reaches(widget, 'loaded')
  const container = addContainer()
  expect(widget.update({ companion: companion.url, container })).toBe(true)
  await expect.poll(() => container.children).toHaveLength(1)
  await reaches(widget, 'loaded')
  widget.destroy()
  expect(widget.update({ companion: companion.url })).toBe(false)
})

test('replacing a function is no change of options, and adding or removing one is', async () => {
  const { widgetUrl } = await createCompanion()
  const options = { widgetUrl, accessToken: 'token' }
  const confirm = async () => null
  const widget = makeWidget(options)
  expect(widget.update({ ...options, confirm })).toBe(true)
  expect(widget.update({ ...options, confirm: async () => null })).toBe(false)
  expect(widget.update(options)).toBe(true)
})

test('options with the same values change nothing, and invalid ones leave the previous ones in place', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url, params: { product_id: 'gold-100' } })
  expect(widget.update({ companion: companion.url, params: { product_id: 'gold-100' } })).toBe(false)
  expect(() => widget.update({ companion: 'javascript:alert(1)' })).toThrow(/^companion/)
  widget.open()
  await reaches(widget, 'loaded')
  expect(products((await companion.state()).asked)).toEqual(['gold-100'])
})

test('the order in which options are given makes no difference', async () => {
  const { url } = await createCompanion()
  const one = { params: { product_id: 'gold-100', email: 'ada@example.com' }, companion: url }
  const other = { companion: url, params: { email: 'ada@example.com', product_id: 'gold-100' } }
  const widget = makeWidget({ ...one, permissions: ['payment', 'camera'] })
  expect(widget.update({ permissions: ['payment', 'camera'], ...other })).toBe(false)
  // A list's order is a value.
  expect(widget.update({ permissions: ['camera', 'payment'], ...other })).toBe(true)
})

test('during a purchase the newest function is called, and an omitted one is still called', async () => {
  const { widgetUrl } = await createCompanion()
  const asked: string[] = []
  const optionsOf = (name?: string) => ({
    widgetUrl,
    accessToken: 'token',
    ...(name && {
      title: name,
      async confirm() {
        asked.push(name)
        return null
      },
    }),
  })
  for (const [last, expected] of [
    ['second', 'second'],
    [undefined, 'first'],
  ]) {
    // As in another tab.
    sessionStorage.clear()
    const widget = makeWidget(optionsOf('first'))
    const result = widget.open()
    await reaches(widget, 'loaded')
    widget.update(optionsOf(last))
    widget.close()
    expect(await result).toEqual({ status: 'closed' })
    expect(asked.splice(0)).toEqual([expected])
  }
})

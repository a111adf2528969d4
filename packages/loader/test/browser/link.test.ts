// Promise: link/no-request
// Promise: link/refused
/** With a companion on the page's own origin, the click opens its link without a request beforehand. */
import { expect, onTestFinished, test, vi } from 'vitest'
import type { PurchaseWidgetOptions } from '../../src/index.ts'
import { linkOf } from '../../src/opening/link.ts'
import {
  addContainer,
  button,
  complete,
  createCompanion,
  find,
  frameWindow,
  keptId,
  makeWidget,
  reaches,
  record,
  type TestCompanion,
  watchWindows,
} from './page.ts'

/** The page's `fetch` calls to the companion, by method and last part of the path. */
function callsOf(companion: TestCompanion): string[] {
  const { fetch } = window
  const calls: string[] = []
  window.fetch = (input, init) => {
    const path = `${input}`
    if (path.includes(`${companion.url}/`)) calls.push(`${init?.method ?? 'GET'} ${path.split('/').at(-1)}`)
    return fetch(input, init)
  }
  onTestFinished(() => {
    window.fetch = fetch
  })
  return calls
}

const linked = async (
  options: Record<string, unknown> = {},
  initially: Parameters<typeof createCompanion>[0] = {},
) => {
  const companion = await createCompanion(initially)
  const calls = callsOf(companion)
  const widget = makeWidget({ ...companion.byLink, ...options } as PurchaseWidgetOptions)
  return { companion, calls, widget }
}

for (const [mode, surface] of [
  ['iframe', () => ({ container: addContainer() })],
  ['popup', () => ({ mode: 'popup' })],
] as const)
  test(`${mode}: the click opens the link with an id that the page generates, and the page fetches nothing`, async () => {
    const { companion, calls, widget } = await linked({
      ...surface(),
      params: { product_id: 'gold-100' },
      locale: 'de',
      redirectPage: 'new',
    })
    widget.open()
    await reaches(widget, 'loaded')
    expect(calls).toEqual([])
    const { links } = await companion.state()
    expect(links).toEqual([
      {
        product_id: 'gold-100',
        locale: 'de',
        redirect_page: 'new',
        surface: mode,
        purchase: expect.stringMatching(/^[\w-]{22}$/),
      },
    ])
    widget.close()
  })

test('a dialog’s request is sent before the dialog is drawn', async () => {
  const { widget } = await linked()
  const { showModal } = HTMLDialogElement.prototype
  let before: string | undefined
  HTMLDialogElement.prototype.showModal = function () {
    before = this.querySelector('iframe')?.src
    showModal.call(this)
  }
  onTestFinished(() => {
    HTMLDialogElement.prototype.showModal = showModal
  })
  widget.open()
  await reaches(widget, 'loaded')
  expect(before).toContain('/launch?')
})

test('the page uses POST where a link cannot express the request, or the widget’s origin is not known yet', async () => {
  for (const options of [
    { widgetOrigin: undefined },
    { params: { quote_amount: '5' } },
    { headers: { authorization: 'Bearer shopper' } },
    { pageToken: true },
    { params: { product_id: 'x'.repeat(2_000) } },
  ]) {
    const { companion, widget } = await linked(options)
    widget.open()
    await expect.poll(async () => (await companion.state()).tokens).toBe(1)
    expect((await companion.state()).links, JSON.stringify(options)).toEqual([])
    widget.destroy()
  }
})

test('later openings on the page know the widget’s origin from POST /launch, and each has its own purchase id', async () => {
  const { companion, calls, widget } = await linked({ widgetOrigin: undefined })
  for (const links of [0, 1, 2]) {
    widget.open()
    await reaches(widget, 'loaded')
    widget.close()
    await reaches(widget, 'settled')
    expect((await companion.state()).links).toHaveLength(links)
  }
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual(['POST launch'])
  expect(new Set((await companion.state()).ids).size).toBe(3)
})

test('the link of a preloaded frame marks it as preloaded, and the page notifies the companion when the frame is shown', async () => {
  const { companion, calls, widget } = await linked({ container: addContainer(), preload: 'eager' })
  await expect.poll(async () => (await companion.state()).links.length).toBe(1)
  const [link] = (await companion.state()).links
  expect(link).toMatchObject({ preload: '1' })
  expect(calls).toEqual([])
  widget.open()
  await reaches(widget, 'loaded')
  expect(calls).toContain(`GET ${link?.purchase}?opened=1`)
})

test('a frame that was preloaded ten minutes ago is replaced by a new purchase when it is opened', async () => {
  const { companion, widget } = await linked({ container: addContainer(), preload: 'eager' })
  await expect.poll(async () => (await companion.state()).links.length).toBe(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
  onTestFinished(() => void vi.useRealTimers())
  widget.open()
  await reaches(widget, 'loaded')
  const { links } = await companion.state()
  expect(links.map(({ preload }) => preload)).toEqual(['1', undefined])
  expect(new Set(links.map(({ purchase }) => purchase)).size).toBe(2)
})

test('a frame’s link names its page even where the page sends no Referer', async () => {
  const policy = Object.assign(document.createElement('meta'), { name: 'referrer', content: 'no-referrer' })
  document.head.append(policy)
  onTestFinished(() => {
    // Removing the element alone would leave its policy in force.
    policy.content = 'strict-origin-when-cross-origin'
    policy.remove()
  })
  const { companion, widget } = await linked()
  widget.open()
  await reaches(widget, 'loaded')
  expect((await companion.state()).referers).toEqual([location.href])
})

test('a link contains no option that was not given', async () => {
  const { companion, calls, widget } = await linked()
  void widget.open()
  await reaches(widget, 'loaded')
  const [query = {}] = (await companion.state()).links
  expect(Object.keys(query).sort()).toEqual(['purchase', 'redirect_page', 'surface'])
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([])
})

test('a companion on another origin has no link', () => {
  const source = { companion: 'https://elsewhere.example/c', widgetOrigin: 'https://widget.example' }
  expect(linkOf(source, 'modal')).toBeUndefined()
})

test('a frame that does not load is retried with the same purchase', async () => {
  const { companion, widget } = await linked({ loadTimeout: 300 }, { launchStatus: 204 })
  widget.open()
  await expect.poll(() => button('Try again')).toBeTruthy()
  await companion.set({ launchStatus: 303 })
  button('Try again').click()
  await reaches(widget, 'loaded')
  expect(await companion.state()).toMatchObject({ tokens: 1, launches: 2 })
})

test.each(['iframe', 'modal', 'popup'] as const)(
  'without a network nothing goes to the link, and the shopper reads it: %s',
  async (mode) => {
    const { companion, widget } = await linked({
      mode,
      ...(mode === 'iframe' && { container: addContainer() }),
    })
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const failing = vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
    onTestFinished(() => {
      onLine.mockRestore()
      failing.mockRestore()
    })
    const windows = watchWindows((view) => view)
    const errors = record(widget, 'error')
    void widget.open()
    await expect.poll(() => errors.map(({ code }) => code)).toEqual(['token_failed'])
    const page = mode === 'popup' ? windows[0]?.document : document
    const texts = (): string =>
      [...(page?.querySelectorAll('div') ?? [])].map(({ shadowRoot }) => shadowRoot?.textContent).join()
    const sentence = 'The purchase could not be started. You have not been charged.'
    await expect.poll(texts).toContain(sentence)
    expect(texts()).toContain('Try again')
    failing.mockRestore()
    expect((await companion.state()).links).toEqual([])
  },
)

test('the companion’s refusal page stays, and the page reports its code and message once', async () => {
  const { companion, widget } = await linked(
    {},
    {
      refusesTickets: true,
      purchase: {
        status: 'none',
        refused: { code: 'purchase_refused', message: 'Sold out.' },
      },
    },
  )
  const errors = record(widget, 'error')
  const result = widget.open()
  await expect
    .poll(() => errors.map(({ code, companion }) => ({ code, companion })))
    .toEqual([{ code: 'token_failed', companion: { code: 'purchase_refused', message: 'Sold out.' } }])
  expect(find<HTMLIFrameElement>('iframe').contentDocument?.title).toBe('Refused')
  expect(getComputedStyle(find('iframe')).visibility).toBe('visible')
  expect(widget.getSnapshot().status).toBe('loading')
  const { reads } = await companion.state()
  sayRefused(keptId())
  await expect.poll(async () => (await companion.state()).reads).toBe(reads + 1)
  await companion.set({ refusesTickets: false, purchase: { status: 'none' } })
  frameWindow().location.reload()
  await reaches(widget, 'loaded')
  widget.close()
  expect((await result).status).toBe('closed')
  expect(errors).toHaveLength(1)
})

/** Sends a refusal from the frame, as the refusal page does. */
const sayRefused = (purchaseId: string): void => {
  const said = JSON.stringify({ source: 'purchase-widget', type: 'refused', purchaseId })
  ;(frameWindow() as typeof window).eval(`parent.postMessage(${said}, '*')`)
}

test('a refusal in a popup is shown there, and the page says that the purchase could not be started', async () => {
  const opened = watchWindows()
  const refused = { code: 'unauthorized', message: 'Sign in.' }
  const { widget } = await linked(
    { mode: 'popup' },
    { refusesTickets: true, purchase: { status: 'none', refused } },
  )
  const errors = record(widget, 'error')
  void widget.open()
  await expect.poll(() => opened[0]?.document.title).toBe('Refused')
  const channel = new BroadcastChannel(`purchase-widget:${keptId()}`)
  onTestFinished(() => channel.close())
  channel.postMessage({ source: 'purchase-widget', type: 'refused', purchaseId: keptId() })
  await expect.poll(() => errors).toMatchObject([{ code: 'token_failed', companion: refused }])
  await expect.poll(() => find('p').textContent).toContain('The purchase could not be started.')
})

test('a refused ticket in a frame is reported, whatever loads first, and never as a widget that has loaded', async () => {
  const refused = { code: 'unauthorized', message: 'Sign in.' }
  const companion = await createCompanion({ refusesTickets: true, purchase: { status: 'none', refused } })
  const widget = makeWidget({ companion: companion.url, container: addContainer() })
  const errors = record(widget, 'error')
  const loads = record(widget, 'load')
  void widget.open()
  await expect.poll(() => errors).toMatchObject([{ code: 'token_failed', companion: refused }])
  expect(loads).toEqual([])
  expect(widget.getSnapshot().status).toBe('loading')
})

test('a link whose purchase is complete ends with its result', async () => {
  const { widget } = await linked({}, { refusesTickets: true, purchase: complete })
  const errors = record(widget, 'error')
  expect(await widget.open()).toMatchObject({ status: 'success', verified: true })
  expect(errors).toEqual([])
})

test('closing the widget after a refusal ends with the error of the refusal', async () => {
  const { widget } = await linked(
    {},
    {
      refusesTickets: true,
      purchase: { status: 'none', refused: { code: 'unauthorized', message: 'Sign in.' } },
    },
  )
  const errors = record(widget, 'error')
  const result = widget.open()
  await expect.poll(() => errors.length).toBe(1)
  widget.close()
  expect(await result).toMatchObject({ status: 'error', error: { companion: { code: 'unauthorized' } } })
})

test('a page of the shop in the widget’s place is reported as an error of GET /launch, and can be retried', async () => {
  const { companion, widget } = await linked({}, { refusesTickets: true })
  const errors = record(widget, 'error')
  widget.open()
  await expect
    .poll(() => errors.map(({ code, message }) => ({ code, message })))
    .toMatchObject([{ code: 'open_failed', message: expect.stringContaining('GET /launch') }])
  await companion.set({ refusesTickets: false })
  button('Try again').click()
  await reaches(widget, 'loaded')
})

test('“Try again” on the refusal page starts a new purchase in the same window', async () => {
  const opened = watchWindows()
  const companion = await createCompanion({ refusesTickets: true })
  const widget = makeWidget({ companion: companion.url, mode: 'popup' })
  widget.open()
  const page = (): Document | undefined => opened[0]?.document
  await expect.poll(() => page()?.title).toBe('Refused')
  await companion.set({ refusesTickets: false })
  page()?.querySelector('button')?.click()
  await reaches(widget, 'loaded')
  expect(await companion.state()).toMatchObject({ launches: 2, tokens: 2 })
  expect(opened).toHaveLength(1)
})

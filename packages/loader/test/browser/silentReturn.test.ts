// Promise: loader/results
/** The shopper comes back to a page that sends no message, such as a gateway's error page. */
import { expect, test, vi } from 'vitest'
import type { PurchaseWidget, PurchaseWidgetOptions } from '../../src/index.ts'
import { KEY } from '../../src/outcome/kept.ts'
import type { CompanionState } from './merchant.ts'
import {
  addContainer,
  button,
  comeBack,
  complete,
  createCompanion,
  find,
  frames,
  frameWindow,
  keptId,
  makeWidget,
  paid,
  reaches,
  record,
  type TestCompanion,
  takeTimers,
  watchWindows,
} from './page.ts'
import { hasShown, isElsewhere } from './windows.ts'

const success = { status: 'success', verified: true, order: paid }

/** Opens a widget that has loaded, and whose return page is the companion's, or an error page. */
async function openIn(
  mode: 'iframe' | 'popup',
  initially: Partial<CompanionState> = {},
  optionsOf = ({ byLink }: TestCompanion): object => byLink,
) {
  const companion = await createCompanion({ returnStatus: 502, ...initially })
  const opened = watchWindows()
  const where = mode === 'popup' ? { mode } : { container: addContainer() }
  const widget = makeWidget({ ...optionsOf(companion), ...where } as PurchaseWidgetOptions)
  const returns = record(widget, 'return')
  const result = widget.open()
  if (mode === 'popup') await hasShown(widget, opened[0])
  else await reaches(widget, 'loaded')
  const view = mode === 'popup' ? (opened[0] as Window) : frameWindow()
  return { companion, widget, result, returns, view }
}

/** Waits until the window shows a page of this site, and then for longer than such a page may take to send its message. */
async function staysLoaded(widget: PurchaseWidget, view: Window): Promise<void> {
  await expect.poll(() => isElsewhere(view)).toBe(false)
  await new Promise((resolve) => setTimeout(resolve, 2_600))
  expect(widget.getSnapshot().status).toBe('loaded')
}

const ticket = ({ url }: TestCompanion): object => ({ companion: url })

test.each([
  ['frame', 'iframe', undefined],
  ['frame that a ticket opened', 'iframe', ticket],
  ['popup', 'popup', undefined],
] as const)(
  'after an error page in place of the return page in a %s, the server is asked',
  async (_, mode, options) => {
    const { companion, result, returns, view } = await openIn(mode, { purchase: complete }, options)
    await comeBack(companion, view)
    expect(await result).toEqual(success)
    expect(returns).toHaveLength(1)
    expect(await companion.state()).toMatchObject({ returns: 1, reads: 1 })
    if (mode === 'popup') await expect.poll(() => view.closed).toBe(true)
    else expect(frames()).toEqual([])
  },
)

test('a purchase that was over before its popup counted as loaded is not missed', async () => {
  const companion = await createCompanion({ returnStatus: 502, purchase: complete })
  const opened = watchWindows()
  const widget = makeWidget({ ...companion.byLink, mode: 'popup' } as PurchaseWidgetOptions)
  const result = widget.open()
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  await comeBack(companion, opened[0])
  expect(widget.getSnapshot().status).toBe('loading')
  expect(await result).toEqual(success)
})

test.each(['iframe', 'popup'] as const)(
  'if the server does not answer after an error page (%s), the shopper can ask again',
  async (mode) => {
    const { companion, widget, result, view } = await openIn(mode, {
      purchase: complete,
      purchaseStatus: 502,
    })
    const errors = record(widget, 'error')
    takeTimers()
    await comeBack(companion, view)
    const isOffered = async (): Promise<boolean> => {
      await vi.advanceTimersByTimeAsync(1_000)
      return errors.length > 0
    }
    await expect.poll(isOffered).toBe(true)
    expect(errors.map(({ code }) => code)).toEqual(['confirm_failed'])
    expect(find('[part=bar] p').textContent).toMatch(/^It is not known yet/)
    await companion.set({ purchaseStatus: 200 })
    button('Check again').click()
    expect(await result).toEqual(success)
  },
)

test('any page of this site that follows the widget in a frame counts as a return', async () => {
  const { result, view } = await openIn('iframe', { purchase: complete })
  view.location.replace(`${location.origin}/merchant/an-error-page`)
  expect(await result).toEqual(success)
})

test.each(['iframe', 'popup'] as const)('the message of a return page comes first (%s)', async (mode) => {
  const { companion, result, returns, view } = await openIn(mode, {
    returnStatus: 200,
    purchase: { status: 'none' },
  })
  await comeBack(companion, view, '/failed')
  await expect.poll(() => returns.map(({ info }) => info.status)).toEqual(['failure'])
  await new Promise((resolve) => setTimeout(resolve, 2_600))
  expect(returns).toHaveLength(1)
  await companion.set({ purchase: complete })
  expect(await result).toEqual(success)
})

test('a message that is sent after the page has loaded still comes first', async () => {
  const { companion, returns, view } = await openIn('iframe')
  const purchaseId = await comeBack(companion, view)
  await expect.poll(() => !isElsewhere(view) && view.document.readyState).toBe('complete')
  const message = { source: KEY, type: 'returned', purchaseId, outcome: 'failure', returnUrl: null }
  const script = `setTimeout(() => parent.postMessage(${JSON.stringify(message)}, origin), 1000)`
  view.document.head.append(Object.assign(view.document.createElement('script'), { text: script }))
  await expect.poll(() => returns.map(({ info }) => info.status), { timeout: 4_000 }).toEqual(['failure'])
})

test.each<[string, 'iframe' | 'popup', (companion: TestCompanion) => object]>([
  ['a sign-in page in a popup', 'popup', ({ byLink }) => byLink],
  ['a sign-in page in a frame that a ticket opened', 'iframe', ticket],
  ['redirectPage new', 'iframe', ({ byLink }) => ({ ...byLink, redirectPage: 'new' })],
])('with %s, a page of this site is not a return', async (_, mode, options) => {
  const { companion, widget, view } = await openIn(mode, { purchase: complete }, options)
  view.location.replace(`${location.origin}${companion.url}`)
  await staysLoaded(widget, view)
})

test('a page of this site that leads back to the widget ends nothing', async () => {
  const { companion, widget, view } = await openIn('iframe', { purchase: complete })
  view.location.replace(`${location.origin}${companion.url}`)
  await expect.poll(() => isElsewhere(view)).toBe(false)
  view.location.replace(`${companion.widgetUrl}/widget/`)
  await expect.poll(() => isElsewhere(view)).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 2_600))
  expect(widget.getSnapshot().status).toBe('loaded')
})

test('without a server to ask, an error page ends nothing', async () => {
  const { companion, widget, view } = await openIn('iframe', {}, ({ widgetUrl }) => ({
    widgetUrl,
    accessToken: 'canary-token',
  }))
  view.location.replace(`${location.origin}${companion.url}/return/${keptId()}`)
  await staysLoaded(widget, view)
})

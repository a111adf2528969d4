// Promise: return/other-host
/** Where the page goes after a return: to the address from the merchant's server, never to an attacker's. */
import { expect, onTestFinished, test, vi } from 'vitest'
import type { PurchaseResult, PurchaseWidgetOptions } from '../../src/index.ts'
import type { CompanionState } from './merchant.ts'
import {
  addContainer,
  comeBack,
  complete,
  createCompanion,
  frames,
  frameWindow,
  makeWidget,
  order,
  reaches,
  record,
} from './page.ts'

const elsewhere = 'https://elsewhere.example/done'
const declined = { status: 'failed', state: 'matched', order: order('order_failed') }

/** The addresses of attempted navigations. The page stays, since it runs the tests. */
function hearNavigations(): string[] {
  const heard: string[] = []
  const { navigation } = window as unknown as { navigation: EventTarget }
  const hear = (event: Event): void => {
    heard.push((event as Event & { destination: { url: string } }).destination.url)
    event.preventDefault()
  }
  navigation.addEventListener('navigate', hear)
  onTestFinished(() => navigation.removeEventListener('navigate', hear))
  return heard
}

interface Returned {
  navigations: string[]
  warnings: unknown[]
  result: PurchaseResult
}

/** A purchase in a frame: its return page reports the address `said`, and the companion answers `purchase`. */
async function returnWith(
  said: string | null,
  purchase: CompanionState['purchase'],
  options: Partial<PurchaseWidgetOptions> = {},
  prevent = false,
): Promise<Returned> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const companion = await createCompanion({ purchase, returnUrl: said })
  const navigations = hearNavigations()
  const widget = makeWidget({ companion: companion.url, container: addContainer(), ...options } as never)
  if (prevent) widget.on('return', (event) => event.preventDefault())
  const returns = record(widget, 'return')
  const opened = widget.open()
  await reaches(widget, 'loaded')
  await comeBack(companion, frameWindow(), purchase.status === 'failed' ? '/failed' : '')
  const result = await opened
  expect(returns).toHaveLength(1)
  expect(frames()).toEqual([])
  return { navigations, result, warnings: warn.mock.calls.flat() }
}

test('the page goes to an address on another host when the server returns it', async () => {
  const { navigations, result } = await returnWith(elsewhere, {
    ...complete,
    returnUrl: `${elsewhere}?purchase=1`,
  })
  expect(navigations).toEqual([`${elsewhere}?purchase=1`])
  expect(result).toEqual({ status: 'redirected' })
})

test('the page ignores a return page’s address on another host, returns the result, and warns which option to set', async () => {
  const { navigations, result, warnings } = await returnWith(elsewhere, complete)
  expect(navigations).toEqual([])
  expect(result).toMatchObject({ status: 'success', verified: true })
  expect(warnings).toEqual([
    expect.stringMatching(/https:\/\/elsewhere\.example, .*allowedReturnOrigins/) as unknown,
  ])
})

test('the page goes to an address of an allowed origin at once', async () => {
  const { navigations, result } = await returnWith(elsewhere, complete, {
    allowedReturnOrigins: ['https://elsewhere.example'],
  })
  expect(navigations).toEqual([expect.stringContaining(elsewhere) as unknown])
  expect(result).toEqual({ status: 'redirected' })
})

test.each(['javascript:alert(1)', 'http://elsewhere.example/', 'com.example.shop:/done'])(
  'the server cannot send the page to %s',
  async (returnUrl) => {
    const { navigations, result } = await returnWith(null, { ...complete, returnUrl })
    expect(navigations).toEqual([])
    expect(result).toMatchObject({ status: 'success', verified: true })
  },
)

test('a page that prevents the return stays, whatever the server answers', async () => {
  const { navigations, result, warnings } = await returnWith(
    null,
    { ...complete, returnUrl: elsewhere },
    {},
    true,
  )
  expect(navigations).toEqual([])
  expect(result).toMatchObject({ status: 'success', verified: true })
  expect(warnings).toEqual([])
})

test('with redirectPage new the page stays, whatever the server answers', async () => {
  const answer = { ...complete, returnUrl: elsewhere }
  const { navigations, result } = await returnWith(null, answer, { redirectPage: 'new' })
  expect(navigations).toEqual([])
  expect(result).toMatchObject({ status: 'success', verified: true })
})

const here = location.href.replace(/#.*/, '')
const thisPage = (added: string): string => `${here}${here.includes('?') ? '&' : '?'}${added}`

test.each([`${here}#prices`, thisPage('purchase=1&type=order_failed')])(
  'a declined shopper whose return address is this very page stays on it, and can try again (%#)',
  async (returnUrl) => {
    const { navigations, result, warnings } = await returnWith(returnUrl, { ...declined, returnUrl })
    expect(navigations).toEqual([])
    expect(result).toMatchObject({ status: 'failure', verified: true })
    expect(warnings).toEqual([])
  },
)

test('a declined shopper whose return address is another page goes there', async () => {
  const returnUrl = thisPage('step=2')
  const { navigations, result } = await returnWith(null, { ...declined, returnUrl })
  expect(navigations).toEqual([returnUrl])
  expect(result).toEqual({ status: 'redirected' })
})

// Promise: return/tells
/** The return page's script: whom it tells, by which origin, and whose answer it takes. */
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { refusalScript } from '../../src/companion/failureAnswer.ts'
import { returnScript } from '../../src/companion/routes/return.ts'

const purchaseId = 'AAAAAAAAAAAAAAAAAAAAAA'
const hosts = ['https://shop.example', 'https://app.example:8443']
const returnUrl = 'https://shop.example/thanks'
const heard = { source: 'purchase-widget', type: 'heard', purchaseId, close: true }

type Listener = (event: { source: unknown; origin: string; data: unknown }) => void

/** Runs it in a window that a page has opened. */
function run(): {
  opener: { postMessage: ReturnType<typeof vi.fn> }
  hear: Listener
  close: ReturnType<typeof vi.fn>
} {
  const opener = { postMessage: vi.fn() }
  const close = vi.fn()
  const listeners: Listener[] = []
  const window = {
    opener,
    close,
    parent: null as unknown,
    addEventListener: (_: string, listener: Listener) => void listeners.push(listener),
  }
  window.parent = window
  runInNewContext(returnScript, {
    window,
    document: {
      body: { classList: { add: vi.fn() } },
      getElementById: () => ({
        textContent: JSON.stringify({ purchaseId, outcome: 'success', hosts, returnUrl, atOnce: false }),
      }),
    },
    location: { replace: vi.fn() },
    setTimeout: vi.fn(),
  })
  return { opener, close, hear: (event) => listeners.forEach((listener) => void listener(event)) }
}

test('it tells the page that opened the widget by its exact origins, and by no other', () => {
  const { opener } = run()
  const message = { source: 'purchase-widget', type: 'returned', purchaseId, outcome: 'success', returnUrl }
  expect(opener.postMessage.mock.calls).toEqual(hosts.map((origin) => [message, origin]))
})

test('it closes when that page answers from one of these origins', () => {
  for (const origin of hosts) {
    const { hear, opener, close } = run()
    hear({ source: opener, origin, data: heard })
    expect(close).toHaveBeenCalledOnce()
  }
})

test.each<[string, Partial<Parameters<Listener>[0]>]>([
  ['another origin', { origin: 'https://evil.example' }],
  ['an origin that looks like it', { origin: 'https://shop.example.evil.example' }],
  ['its host on another port', { origin: 'https://app.example' }],
  ['no origin', { origin: 'null' }],
  ['another window', { source: {} }],
  ['no window', { source: null }],
  ['another purchase', { data: { ...heard, purchaseId: 'B'.repeat(22) } }],
  ['another library', { data: { ...heard, source: 'other' } }],
  ['another message', { data: { ...heard, type: 'returned' } }],
  ['nothing', { data: null }],
])('it takes no answer of %s', (_, changed) => {
  const { hear, opener, close } = run()
  hear({ source: opener, origin: 'https://shop.example', data: heard, ...changed })
  expect(close).not.toHaveBeenCalled()
})

const windowsOf = {
  'a frame': (host: object) => ({ parent: host }),
  'a window of its own': (opener: object) => {
    const window = { opener, parent: null as unknown }
    window.parent = window
    return window
  },
}

test.each(Object.entries(windowsOf))(
  'in %s the page of a refusal tells the page that waits by its exact origin, and by no other, and asks it to begin again',
  (_, windowOf) => {
    const host = { postMessage: vi.fn() }
    const again = { hidden: true, onclick: () => {} }
    const purchase = { textContent: JSON.stringify({ purchaseId, hostOrigin: hosts[0] }) }
    runInNewContext(refusalScript, {
      window: windowOf(host),
      document: { getElementById: (id: string) => (id === 'again' ? again : purchase) },
    })
    expect(again.hidden).toBe(false)
    again.onclick()
    const message = { source: 'purchase-widget', purchaseId }
    expect(host.postMessage.mock.calls).toEqual(
      ['refused', 'retry'].map((type) => [{ ...message, type }, hosts[0]]),
    )
  },
)

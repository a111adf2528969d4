// Promise: loader/results
/** The events of a widget, and which of them each result and state emits. */
import { afterEach, expect, test, vi } from 'vitest'
import { createStore } from '../src/emitter.ts'
import { widgetError } from '../src/errors.ts'
import type { PurchaseResult, WidgetEventMap, WidgetState } from '../src/index.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A store, and the types of its events so far. */
function recorded(...types: (keyof WidgetEventMap)[]) {
  const store = createStore()
  const emitted: string[] = []
  for (const type of types) store.on(type, () => void emitted.push(type))
  return { store, emitted }
}

const success: PurchaseResult = { status: 'success', verified: true }
const failure: PurchaseResult = { status: 'failure', verified: true }
const closed: PurchaseResult = { status: 'closed' }

test.each<[PurchaseResult, string[]]>([
  [success, ['statechange', 'success', 'result']],
  [failure, ['statechange', 'failure', 'result']],
  [closed, ['statechange', 'result']],
])('the result %j emits %j', (result, events) => {
  const { store, emitted } = recorded('success', 'failure', 'result', 'error', 'statechange')
  store.settle(result)
  expect(emitted).toEqual(events)
  expect(store.getSnapshot()).toEqual({ status: 'settled', result })
})

test('a state is entered once for each mode, and each result anew', () => {
  const { store } = recorded()
  const states: WidgetState[] = []
  store.on('statechange', (state) => states.push(state))
  const [popup, redirect] = [
    { status: 'loading', mode: 'popup' },
    { status: 'loading', mode: 'redirect' },
  ] as const
  const loaded = { status: 'loaded', mode: 'redirect' } as const
  expect(store.getSnapshot()).toEqual({ status: 'idle' })
  for (const state of [popup, popup, redirect, loaded, redirect]) store.enter(state)
  for (const result of [success, closed]) store.settle(result)
  const settled = [success, closed].map((result) => ({ status: 'settled', result }))
  expect(states).toEqual([popup, redirect, loaded, redirect, ...settled])
})

test('a listener that was removed hears nothing more, and one registered twice hears everything twice', () => {
  const { store } = recorded()
  const listener = vi.fn()
  const stop = store.on('result', listener)
  store.on('result', listener)
  store.settle(closed)
  stop()
  store.settle(closed)
  expect(listener).toHaveBeenCalledTimes(3)
})

// Promise: loader/listener-throws
test.each([true, false])(
  'an exception in one listener spares the others, where it can be reported: %s',
  (canReport) => {
    const reportError = vi.fn()
    vi.stubGlobal('reportError', canReport ? reportError : undefined)
    const { store } = recorded()
    const broken = new Error('broken')
    store.on('result', () => {
      throw broken
    })
    const heard = vi.fn()
    store.on('result', heard)
    store.settle(success)
    expect(heard).toHaveBeenCalledExactlyOnceWith(success)
    expect(reportError.mock.calls).toEqual(canReport ? [[broken]] : [])
  },
)

test('an error is the result, and is logged unless a listener receives it', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const error = widgetError('token_failed')
  const alone = recorded('result')
  expect(alone.store.fail(error)).toEqual({ status: 'error', error })
  expect(alone.emitted).toEqual(['result'])
  expect(log.mock.calls).toEqual([[`token_failed: ${error.message}`]])
  const heard = recorded('error', 'result')
  heard.store.fail(error)
  expect(heard.emitted).toEqual(['error', 'result'])
  expect(log).toHaveBeenCalledTimes(1)
})

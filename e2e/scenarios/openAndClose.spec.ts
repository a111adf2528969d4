// Promise: loader/leaves-nothing
/** However often the widget is opened and closed, nothing of it stays in the page. */
import { proofRuns, recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { startWidgetHost, type WidgetHost, workingWidget } from '../fixtures/widgetHost.ts'
import { otherTab } from './widgetPage.ts'

/** Counts listeners and timers that are alive; loaded before the loader. */
const count = `
  const listeners = new Map()
  const keyOf = (target, type, listener, options) => {
    const of = (value) => { if (!ids.has(value)) ids.set(value, ids.size); return ids.get(value) }
    const capture = typeof options === 'object' ? Boolean(options?.capture) : Boolean(options)
    return [of(target), type, of(listener), capture].join()
  }
  const ids = new Map()
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype
  const lasting = (target) => target === window || target === document || target === document.documentElement || target === document.body || target.id === 'buy'
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? window
    if (listener && lasting(target)) {
      const key = keyOf(target, type, listener, options)
      if (!options?.signal?.aborted) listeners.set(key, true)
      options?.signal && add.call(options.signal, 'abort', () => listeners.delete(key))
    }
    return add.call(target, type, listener, options)
  }
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const target = this ?? window
    if (listener && lasting(target)) listeners.delete(keyOf(target, type, listener, options))
    return remove.call(target, type, listener, options)
  }
  const timers = new Set()
  for (const kind of ['Timeout', 'Interval']) {
    const set = window['set' + kind], clear = window['clear' + kind]
    window['set' + kind] = (run, ...rest) => {
      const id = set((...args) => { if (kind === 'Timeout') timers.delete(id); run(...args) }, ...rest)
      timers.add(id)
      return id
    }
    window['clear' + kind] = (id) => { timers.delete(id); clear(id) }
  }
  const nodes = (root) => [...root.querySelectorAll('*')].reduce((sum, element) => sum + 1 + (element.shadowRoot ? nodes(element.shadowRoot) : 0), 0)
  window.alive = () => ({ nodes: nodes(document), frames: window.length, listeners: listeners.size, timers: timers.size, sheets: document.adoptedStyleSheets.length })`

interface HostWindow {
  alive(): Record<string, number>
  widget: { close(): void }
}

let service: WidgetHost
test.beforeEach(async () => {
  service = await startWidgetHost(workingWidget)
})
test.afterEach(() => service.close())

const optionsFor = (mode: string): string =>
  `{ widgetUrl: '${service.url}', accessToken: 'token', mode: '${mode}', ${mode === 'iframe' ? "container: '#slot'," : ''} redirectPage: '${mode === 'redirect' ? 'new' : 'self'}' }`

// A driver slows down with every window that it has seen: each part has a page of its own.
const parts = proofRuns(10, 1)
for (const mode of ['iframe', 'modal', 'popup', 'redirect']) {
  for (let part = 1; part <= parts; part++) {
    test(`${mode}: opening and closing many times leaves nothing (${part} of ${parts})`, {
      // What a frame leaves belongs to the page, not to the engine.
      tag: mode === 'popup' ? [] : oneEngine,
    }, async ({ shopper, merchant }) => {
      const cycles = proofRuns(100, 3)
      // Firefox under Playwright takes up to three seconds for each beside other work.
      test.setTimeout(120_000 + cycles * 6_000)
      merchant.page('/', hostPage({ options: optionsFor(mode), before: count }))
      const host = await shopper.visit(merchant.url)
      await expect.poll(() => merchant.reports()).toContain('page ready')

      const alive = (): Promise<Record<string, number>> =>
        host.page.evaluate(() => (window as unknown as HostWindow).alive())
      const loads = (): number => merchant.reports().filter((entry) => entry === 'state loaded').length
      const before = await alive()
      for (let cycle = 1; cycle <= cycles; cycle++) {
        await host.page.click({ button: 'Buy' })
        if (mode === 'popup' || mode === 'redirect') {
          const other = await otherTab(shopper, host)
          await expect.poll(() => other.url()).toContain(service.url)
          // A tab of its own is the shopper's to close.
          if (mode === 'redirect') await other.close()
        } else await expect.poll(loads).toBe(cycle)
        await host.page.evaluate(() => (window as unknown as HostWindow).widget.close())
        await expect.poll(async () => (await shopper.tabs()).length, 'windows').toBe(1)
      }
      await expect.poll(alive).toEqual(before)
      recordFigure(
        `${cycles} open/close cycles, ${mode}, ${part} of ${parts}, ${shopper.engine}`,
        'nodes, frames, listeners, timers, style sheets, windows left: 0, 0, 0, 0, 0, 0',
      )
    })
  }
}

test('popup: a window that is closed on its way to the widget is gone', async ({ shopper, merchant }) => {
  const cycles = proofRuns(200, 4)
  test.setTimeout(120_000 + cycles * 6_000)
  // From before the token to after the widget's first byte.
  const closeSoon = `addEventListener('click', () => setTimeout(() => window.widget.close(), Math.random() * 80))`
  merchant.page('/', hostPage({ options: optionsFor('popup'), before: closeSoon }))
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')

  const closed = (): number => merchant.reports().filter((entry) => entry.startsWith('result closed')).length
  for (let cycle = 1; cycle <= cycles; cycle++) {
    await host.page.click({ button: 'Buy' })
    await expect.poll(closed).toBe(cycle)
    await expect.poll(async () => (await shopper.tabs()).length, 'windows').toBe(1)
  }
  recordFigure(`${cycles} popups closed on their way to the widget, ${shopper.engine}`, 'windows left: 0')
})

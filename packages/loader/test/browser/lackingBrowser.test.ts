/** Browsers and pages that lack what the loader needs, or break it. */
import { expect, onTestFinished, test } from 'vitest'
import type { Mode } from '../../src/index.ts'
import { addContainer, createCompanion, makeWidget, reaches, record, shells } from './page.ts'

/** Puts something else in the place of a property, until the test or the caller takes it back. */
function replace<Name extends PropertyKey>(owner: { [key in Name]: unknown }, name: Name, value: unknown) {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  Object.defineProperty(owner, name, { value, configurable: true, writable: true })
  const restore = (): void => {
    if (before) Object.defineProperty(owner, name, before)
    else Reflect.deleteProperty(owner, name)
  }
  onTestFinished(restore)
  return restore
}

/** What the page reports as uncaught. */
function uncaught(): string[] {
  const heard: string[] = []
  const hear = (event: ErrorEvent): void => {
    event.preventDefault()
    event.stopImmediatePropagation()
    heard.push(event.message)
  }
  addEventListener('error', hear, { capture: true })
  onTestFinished(() => removeEventListener('error', hear, { capture: true }))
  return heard
}

/** The windows that the loader opens. */
function watchWindows(prepare: (view: Window & typeof globalThis) => void = () => {}): Window[] {
  const opened: Window[] = []
  const { open } = window
  replace(window, 'open', (...parameters: Parameters<typeof open>) => {
    const view = open.apply(window, parameters)
    if (!view) return null
    prepare(view as Window & typeof globalThis)
    opened.push(view)
    return view
  })
  onTestFinished(() => {
    for (const view of opened) view.close()
  })
  return opened
}

const refuseSignals = (): (() => void) => {
  const { addEventListener } = window
  return replace(window, 'addEventListener', (...parameters: Parameters<typeof addEventListener>) => {
    if (typeof parameters[2] === 'object' && parameters[2].signal) throw new TypeError('not an AbortSignal')
    return addEventListener.apply(window, parameters)
  })
}

const lacks: Record<string, { mode: Mode; breakIt(): () => void }> = {
  'style sheets made by script': {
    mode: 'modal',
    breakIt: () => replace(CSSStyleSheet.prototype, 'replaceSync', undefined),
  },
  'shadow roots': { mode: 'modal', breakIt: () => replace(Element.prototype, 'attachShadow', undefined) },
  'native dialogs': {
    mode: 'modal',
    breakIt() {
      const restore = [
        replace(HTMLDialogElement.prototype, 'showModal', undefined),
        replace(HTMLDialogElement.prototype, 'close', undefined),
      ]
      return () => {
        for (const each of restore) each()
      }
    },
  },
  'style sheets in a page that opens a popup': {
    mode: 'popup',
    breakIt: () => replace(CSSStyleSheet.prototype, 'replaceSync', undefined),
  },
  'listeners that take a signal': { mode: 'modal', breakIt: refuseSignals },
  'a window.open that returns': {
    mode: 'popup',
    breakIt: () =>
      replace(window, 'open', () => {
        throw new DOMException('no windows here')
      }),
  },
}

for (const [what, { mode, breakIt }] of Object.entries(lacks)) {
  test(`without ${what}, open() ends with open_failed, leaves nothing, and works once it is there`, async () => {
    const opened = watchWindows()
    const { url } = await createCompanion()
    const widget = makeWidget({ companion: url, mode })
    const errors = record(widget, 'error')
    const restore = breakIt()
    const result = widget.open()
    restore()
    expect(await result).toMatchObject({
      status: 'error',
      error: {
        name: 'WidgetError',
        code: 'open_failed',
        recoverable: true,
        cause: { name: expect.any(String) },
      },
    })
    expect(errors).toHaveLength(1)
    expect(shells()).toEqual([])
    expect(document.querySelectorAll('body > div:empty')).toHaveLength(0)
    expect(opened.filter(({ closed }) => !closed)).toEqual([])
    widget.open()
    await reaches(widget, 'loaded')
  })
}

test('no blank window stays when the waiting page cannot be drawn', async () => {
  const opened = watchWindows((view) => replace(view.CSSStyleSheet.prototype, 'replaceSync', undefined))
  const { url } = await createCompanion()
  const result = await makeWidget({ companion: url, mode: 'popup' }).open()
  expect(result).toMatchObject({ status: 'error', error: { code: 'open_failed' } })
  expect(opened.map(({ closed }) => closed)).toEqual([true])
  expect(shells()).toEqual([])
})

test('without BroadcastChannel the widget opens, and a return is heard by its storage event', async () => {
  replace(window, 'BroadcastChannel', undefined)
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, redirectPage: 'new' })
  const returns = record(widget, 'return')
  widget.open()
  await reaches(widget, 'loaded')
  const message = { source: 'purchase-widget', type: 'return', url: `${location.origin}/done` }
  dispatchEvent(
    new StorageEvent('storage', { key: 'purchase-widget:return', newValue: JSON.stringify(message) }),
  )
  await expect.poll(() => returns.length).toBe(1)
})

test('what another page stores or says in a wrong shape is not taken, and throws nothing', async () => {
  const heard = uncaught()
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, redirectPage: 'new' })
  const returns = record(widget, 'return')
  widget.open()
  await reaches(widget, 'loaded')
  const head = '"source":"purchase-widget","type":"return"'
  for (const newValue of ['{', 'null', '7', '[]', `{${head}}`, `{${head},"url":{"toString":1}}`, null]) {
    dispatchEvent(new StorageEvent('storage', { key: 'purchase-widget:return', newValue }))
  }
  const data = { source: 'purchase-widget', type: 'return', url: { toString: 1 } }
  dispatchEvent(new MessageEvent('message', { data: { ...data, id: 'x' }, origin, source: window }))
  const channel = new BroadcastChannel('purchase-widget')
  onTestFinished(() => channel.close())
  channel.postMessage(data)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(returns).toEqual([])
  expect(heard).toEqual([])
})

test('preload(), focus(), close() and destroy() throw nothing, whatever is lacking', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, preload: 'eager' })
  const restore = [
    replace(CSSStyleSheet.prototype, 'replaceSync', undefined),
    replace(window, 'BroadcastChannel', undefined),
  ]
  widget.preload()
  widget.focus()
  widget.close()
  expect(widget.getSnapshot()).toEqual({ status: 'idle' })
  expect(shells()).toEqual([])
  for (const each of restore) each()
  const result = widget.open()
  await reaches(widget, 'loaded')
  replace(CSSStyleSheet.prototype, 'replaceSync', undefined)
  widget.preload()
  widget.focus()
  widget.destroy()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'destroyed' } })
  expect(shells()).toEqual([])
})

test('without IntersectionObserver a container is no sign of intent, and the widget opens', async () => {
  replace(window, 'IntersectionObserver', undefined)
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, container: addContainer(), preload: 'intent' })
  widget.open()
  await reaches(widget, 'loaded')
})

test('a browser that refuses the widget’s address ends with open_failed, which does not quote it', async () => {
  const { url } = await createCompanion()
  const refused: string[] = []
  const location = {
    href: 'about:blank',
    replace(address: string) {
      refused.push(address)
      throw new SyntaxError(`${address} is not a valid URL.`)
    },
  }
  replace(HTMLIFrameElement.prototype, 'contentWindow', { location })
  const result = await makeWidget({ companion: url }).open()
  expect(result).toMatchObject({ status: 'error', error: { code: 'open_failed', cause: 'SyntaxError' } })
  const { error } = result as { error: Error }
  expect(refused.join()).toContain('canary-token')
  expect(`${error.message} ${error.stack} ${error.cause}`).not.toContain('canary-token')
  expect(shells()).toEqual([])
})

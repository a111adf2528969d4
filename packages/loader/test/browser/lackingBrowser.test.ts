// Promise: loader/lacking-browser
/** Browsers and pages that lack what the loader needs, or break it. */
import { expect, onTestFinished, test } from 'vitest'
import {
  addContainer,
  button,
  comeBack,
  createCompanion,
  drawn,
  makeWidget,
  reaches,
  record,
  shells,
  watchWindows,
} from './page.ts'
import { hasShown } from './windows.ts'

/** Replaces a property until the test ends or the caller restores it; without `writable`, assigning to it throws. */
function replace<Name extends PropertyKey>(
  owner: { [key in Name]: unknown },
  name: Name,
  value: unknown,
  writable = true,
) {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  Object.defineProperty(owner, name, { value, configurable: true, writable })
  const restore = (): void => {
    if (before) Object.defineProperty(owner, name, before)
    else Reflect.deleteProperty(owner, name)
  }
  onTestFinished(restore)
  return restore
}

const lacks: Record<string, { mode: 'modal' | 'popup'; breakIt(): () => void }> = {
  'constructable style sheets': {
    mode: 'modal',
    breakIt: () => replace(ShadowRoot.prototype, 'adoptedStyleSheets', [], false),
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
  'constructable style sheets in a page that opens a popup': {
    mode: 'popup',
    breakIt: () => replace(ShadowRoot.prototype, 'adoptedStyleSheets', [], false),
  },
}

for (const [what, { mode, breakIt }] of Object.entries(lacks)) {
  test(`without ${what}, open() ends with open_failed, leaves nothing behind, and works once they are available`, async () => {
    const opened = watchWindows()
    const { url } = await createCompanion()
    const widget = makeWidget({ companion: url, mode })
    const errors = record(widget, 'error')
    const restore = breakIt()
    const result = widget.open()
    await drawn()
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

test('where the page cannot receive the widget’s messages, the shopper can try again or cancel', async () => {
  const { addEventListener } = window
  replace(window, 'addEventListener', (...parameters: Parameters<typeof addEventListener>) => {
    if (typeof parameters[2] === 'object' && parameters[2].signal) throw new TypeError('not an AbortSignal')
    return addEventListener.apply(window, parameters)
  })
  const { url } = await createCompanion()
  const result = makeWidget({ companion: url }).open()
  await expect.poll(() => button('Cancel')).toBeTruthy()
  await expect.poll(() => button('Try again')).toBeTruthy()
  button('Cancel').click()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'open_failed', cause: 'TypeError' } })
  expect(shells()).toEqual([])
})

test('no blank window is left when the waiting page cannot be drawn', async () => {
  const opened = watchWindows((view) => {
    replace(view.CSSStyleSheet.prototype, 'replaceSync', undefined)
    return view
  })
  const { url } = await createCompanion()
  const result = await makeWidget({ companion: url, mode: 'popup' }).open()
  expect(result).toMatchObject({ status: 'error', error: { code: 'open_failed' } })
  expect(opened.map(({ closed }) => closed)).toEqual([true])
  expect(shells()).toEqual([])
})

test('without BroadcastChannel and storage, the widget opens and receives a return in its frame', async () => {
  replace(window, 'BroadcastChannel', undefined)
  replace(window, 'sessionStorage', null)
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url })
  const returns = record(widget, 'return')
  widget.open()
  await reaches(widget, 'loaded')
  await comeBack(companion)
  await expect.poll(() => returns.length).toBe(1)
})

test('preload(), focus(), close() and destroy() never throw, whatever is missing', async () => {
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

test('without IntersectionObserver, a container does not signal intent, and the widget opens', async () => {
  replace(window, 'IntersectionObserver', undefined)
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, container: addContainer(), preload: 'intent' })
  widget.open()
  await reaches(widget, 'loaded')
})

test('when the browser rejects the widget’s address, the result is open_failed and does not quote the address', async () => {
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
  const widget = makeWidget({ companion: url, pageToken: true })
  const opened = widget.open()
  await expect.poll(() => button('Try again')).toBeTruthy()
  button('Cancel').click()
  const result = await opened
  expect(result).toMatchObject({ status: 'error', error: { code: 'open_failed', cause: 'SyntaxError' } })
  const { error } = result as { error: Error }
  expect(refused.join()).toContain('canary-token')
  expect(`${error.message} ${error.stack} ${error.cause}`).not.toContain('canary-token')
  expect(shells()).toEqual([])
})

test('without storage a popup that was closed too early is reopened for the same purchase', async () => {
  replace(window as { sessionStorage: unknown }, 'sessionStorage', null)
  const opened = watchWindows()
  const companion = await createCompanion()
  const widget = makeWidget({ ...companion.byLink, mode: 'popup' })
  void widget.open()
  await hasShown(widget, opened[0])
  opened[0]?.close()
  await expect.poll(() => opened[0]?.closed).toBe(true)
  void widget.open()
  await hasShown(widget, opened[1])
  expect((await companion.state()).ids).toHaveLength(1)
})

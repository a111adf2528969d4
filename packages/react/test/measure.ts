/** Counts what a widget does to the page, and what it leaves there; and waits for it. */
import { vi } from 'vitest'
import { type Addresses, addressesPath, companionPath } from './addresses.ts'

export const { bareUrl, sandboxUrl }: Addresses = await (await fetch(addressesPath)).json()

/** Every element of the page, also in shadow roots. */
function elements(root: ParentNode): Element[] {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    element,
    ...(element.shadowRoot ? elements(element.shadowRoot) : []),
  ])
}

export const frames = (): HTMLIFrameElement[] =>
  elements(document).filter((element) => element instanceof HTMLIFrameElement)

const timers = new Set<number>()
const channels = new Set<BroadcastChannel>()
const listeners = new Set<object>()
let tokenCalls = 0

/** What is on the page, and what could wake it up. Equal before and after means that nothing is left. */
export const holdings = (): Record<string, number> => ({
  elements: elements(document).length,
  frames: frames().length,
  timers: timers.size,
  channels: channels.size,
  listeners: listeners.size,
})

/** Calls for an access token so far, including those through the companion. */
export const tokenCallCount = (): number => tokenCalls

export async function accessToken(): Promise<string> {
  tokenCalls += 1
  return 'token-of-the-test'
}

/** Counts changes of the page from now on, including in the shadow roots that exist now. */
export function watchPage(): () => number {
  const observer = new MutationObserver(() => {})
  const roots = [document, ...elements(document).flatMap(({ shadowRoot }) => shadowRoot ?? [])]
  for (const root of roots) {
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
  }
  return () => observer.takeRecords().length
}

/** Counts requests of the page from now on. */
export function watchNetwork(): () => number {
  let requests = 0
  const observer = new PerformanceObserver((list) => {
    requests += list.getEntries().length
  })
  observer.observe({ type: 'resource' })
  return () => {
    const pending = observer.takeRecords().length
    observer.disconnect()
    return requests + pending
  }
}

/** Waits until `check` passes: long, since a machine that runs every test at once is slow, but no longer than necessary. */
export const eventually = (check: () => void): Promise<void> =>
  vi.waitFor(check, { timeout: 45_000, interval: 10 })

/** Lets this task's pending work, and its messages to itself, finish. */
export const settle = (): Promise<void> => new Promise((resolve) => setTimeoutOfPage(resolve, 50))

// The page's own functions still do their work; the calls are only counted.

const setTimeoutOfPage = window.setTimeout.bind(window)

window.fetch = new Proxy(window.fetch, {
  apply(target, self, args: Parameters<typeof fetch>) {
    if (String(args[0]).endsWith(`${companionPath}/launch`)) tokenCalls += 1
    return Reflect.apply(target, self, args)
  },
})

window.setInterval = new Proxy(window.setInterval, {
  apply(target, self, args) {
    const id = Reflect.apply(target, self, args)
    timers.add(id)
    return id
  },
})

window.clearInterval = new Proxy(window.clearInterval, {
  apply(target, self, [id]) {
    timers.delete(id)
    return Reflect.apply(target, self, [id])
  },
})

window.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(name)
    channels.add(this)
  }
  override close(): void {
    channels.delete(this)
    super.close()
  }
}

for (const target of [window, document]) {
  const byCallback = new Map<unknown, object>()
  const add = target.addEventListener.bind(target)
  const remove = target.removeEventListener.bind(target)
  const forget = (callback: unknown): void => {
    listeners.delete(byCallback.get(callback) ?? {})
  }
  target.addEventListener = (
    type: string,
    callback: EventListenerOrEventListenerObject,
    options?: AddEventListenerOptions | boolean,
  ): void => {
    add(type, callback, options)
    const entry = {}
    byCallback.set(callback, entry)
    listeners.add(entry)
    if (typeof options === 'object') options.signal?.addEventListener('abort', () => listeners.delete(entry))
  }
  target.removeEventListener = (
    type: string,
    callback: EventListenerOrEventListenerObject,
    options?: EventListenerOptions | boolean,
  ): void => {
    remove(type, callback, options)
    forget(callback)
  }
}

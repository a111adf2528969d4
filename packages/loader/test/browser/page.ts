/** Helpers to inspect the page and to control the merchant's server. */
import { expect, onTestFinished, vi } from 'vitest'
import { createPurchaseWidget } from '../../src/entries/sync.ts'
import type { OrderSummary, PurchaseWidget, PurchaseWidgetOptions, WidgetEventMap } from '../../src/index.ts'
import type { CompanionState } from './merchant.ts'

// Removes what another file's tests have left in this tab.
globalThis.sessionStorage?.clear()

export interface TestCompanion {
  url: string
  widgetUrl: string
  /** The options with which the click itself opens the companion's link. */
  byLink: { companion: string; widgetOrigin: string }
  set(change: Partial<CompanionState>): Promise<void>
  state(): Promise<CompanionState>
}

export async function createCompanion(initially: Partial<CompanionState> = {}): Promise<TestCompanion> {
  const url = `/merchant/${crypto.randomUUID()}`
  const state = async (): Promise<CompanionState & { widgetUrl: string }> => (await fetch(url)).json()
  const set = async (change: Partial<CompanionState>): Promise<void> => {
    await fetch(url, { method: 'POST', body: JSON.stringify(change) })
  }
  await set(initially)
  const { widgetUrl } = await state()
  return { url, widgetUrl, byLink: { companion: url, widgetOrigin: widgetUrl }, set, state }
}

/** What the companion knows about a purchase. */
export const order = (type: string, id = 'o1'): OrderSummary => ({ id, type, decline: null })
export const paid = order('order_complete')
export const complete = { status: 'complete', state: 'matched', order: paid }
export const pending = { status: 'pending', order: order('payment_started') }

/** Makes a widget that is destroyed after its test, when the tab's storage is cleared too. */
export function makeWidget(options: PurchaseWidgetOptions): PurchaseWidget {
  const widget = createPurchaseWidget(options)
  onTestFinished(() => {
    widget.destroy()
    // Not every browser has it.
    sessionStorage?.clear()
  })
  return widget
}

/** The id of the tab's open purchase. */
export const keptId = (): string => `${sessionStorage.getItem('purchase-widget')?.split(' ')[0]}`

/** The shadow root of every host element of the loader in the page. */
export const shells = (): ShadowRoot[] =>
  [...document.querySelectorAll('div')].flatMap(({ shadowRoot }) => (shadowRoot ? [shadowRoot] : []))

export function find<Found extends Element>(selector: string): Found {
  const found = shells().flatMap((root) => [...root.querySelectorAll<Found>(selector)])
  if (!found[0]) throw new Error(`Nothing on the page matches ${selector}.`)
  return found[0]
}

export const frames = (): HTMLIFrameElement[] =>
  shells().flatMap((root) => [...root.querySelectorAll('iframe')])

/** The window of the one frame. */
export const frameWindow = (): Window => find<HTMLIFrameElement>('iframe').contentWindow as Window

/** Navigates the widget's own window to the return page of the newest purchase. */
export async function comeBack(
  { url, state }: TestCompanion,
  view = frameWindow(),
  outcome = '',
): Promise<string> {
  const id = `${(await state()).ids.at(-1)}`
  view.location.replace(`${location.origin}${url}/return/${id}${outcome}`)
  return id
}

/** Opens a return page in a window that the page does not know. */
export async function comeBackElsewhere({ url }: { url: string }, id: string | undefined): Promise<Document> {
  const frame = document.body.appendChild(document.createElement('iframe'))
  onTestFinished(() => frame.remove())
  frame.src = `${url}/return/${id}`
  await new Promise((resolve) => {
    frame.onload = resolve
  })
  return frame.contentDocument as Document
}

export const button = (name: string): HTMLButtonElement => {
  const found = shells()
    .flatMap((root) => [...root.querySelectorAll('button')])
    .find(({ textContent, ariaLabel }) => textContent === name || ariaLabel === name)
  if (!found) throw new Error(`There is no button "${name}".`)
  return found
}

export const reaches = (widget: PurchaseWidget, status: string): Promise<void> =>
  expect.poll(() => widget.getSnapshot().status).toBe(status)

/** The next frame, at the moment it is inserted into what the loader has drawn. */
export const nextFrame = (): Promise<HTMLIFrameElement> =>
  new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const [frame] = frames()
      if (!frame) return
      observer.disconnect()
      resolve(frame)
    })
    for (const root of shells()) observer.observe(root, { childList: true, subtree: true })
  })

/** The preloaded frame, once the loader knows that it has loaded. It is inserted with its address, so the listener is on its shell. */
export async function earlyFrame(): Promise<HTMLIFrameElement | undefined> {
  await expect.poll(shells).toHaveLength(1)
  await new Promise((resolve) => {
    shells()[0]?.addEventListener('load', () => setTimeout(resolve), { capture: true, once: true })
  })
  return frames()[0]
}

/** An opening draws after its request is sent, in the same task. */
export const drawn = (): Promise<void> => Promise.resolve()

/** The widget's events of one type, in order. */
export function record<Type extends keyof WidgetEventMap>(
  widget: PurchaseWidget,
  type: Type,
): WidgetEventMap[Type][] {
  const heard: WidgetEventMap[Type][] = []
  widget.on(type, (event) => heard.push(event))
  return heard
}

/** Adds a container for a widget, and removes it after the test. */
export function addContainer(): HTMLElement {
  const container = document.body.appendChild(document.createElement('div'))
  onTestFinished(() => container.remove())
  return container
}

/** The windows that the loader opens, and their addresses; `change` returns what the loader sees of each window. */
export function watchWindows(
  change = (view: Window & typeof globalThis): Window => view,
): Window[] & { urls: string[] } {
  const opened = Object.assign([] as Window[], { urls: [] as string[] })
  const { open } = window
  window.open = (...parameters) => {
    const view = open.apply(window, parameters) as (Window & typeof globalThis) | null
    if (!view) return null
    opened.push(view)
    opened.urls.push(`${parameters[0]}`)
    return change(view)
  }
  onTestFinished(() => {
    window.open = open
    for (const view of opened) view.close()
  })
  return opened
}

/** The links that this tab would have followed, and does not follow until the test ends. */
export function watchLinks(): string[] {
  const followed: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    followed.push(this.href)
  })
  onTestFinished(() => click.mockRestore())
  return followed
}

/** Where scripts have led a page, which stays as it is. */
export function watchNavigations({ navigation }: Pick<Window, 'navigation'> = window): string[] {
  const urls: string[] = []
  const stay = (event: NavigateEvent): void => {
    urls.push(event.destination.url)
    event.preventDefault()
  }
  navigation.addEventListener('navigate', stay)
  onTestFinished(() => navigation.removeEventListener('navigate', stay))
  return urls
}

/** Whether the shopper has just clicked on the page; undefined for a browser that does not report it. */
export function setUserActivation(isActive: boolean | undefined): void {
  const activation = isActive === undefined ? undefined : { isActive }
  const get = vi.spyOn(navigator, 'userActivation', 'get').mockReturnValue(activation as UserActivation)
  onTestFinished(() => get.mockRestore())
}

/** Fakes the page's timers, but not the network. They stand still until the test advances them, however slow the machine is. */
export function takeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

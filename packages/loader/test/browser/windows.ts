/** Helpers for the windows that the loader opens. */
import { expect, onTestFinished, vi } from 'vitest'
import type { PurchaseWidget } from '../../src/index.ts'
import { reaches, watchWindows } from './page.ts'

export const isElsewhere = (view: Window | undefined): boolean => {
  try {
    return !view?.document
  } catch {
    return true
  }
}

/** A browser that opens no window. */
export function blockWindows(): void {
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  onTestFinished(() => open.mockRestore())
}

/** Lets the window show the widget for two seconds of the page's clock, after which it counts as loaded. */
export async function hasShown(widget: PurchaseWidget, view: Window | undefined): Promise<void> {
  await expect.poll(() => isElsewhere(view)).toBe(true)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_100 })
  await reaches(widget, 'loaded')
  vi.useRealTimers()
}

/** A window as the loader sees it, with some properties of its own. */
export const withOwn = (view: Window, own: object): Window =>
  new Proxy(view, {
    get(target, name) {
      const value = Reflect.get(name in own ? own : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set: (target, name, value) => Reflect.set(target, name, value),
  })

/** Makes the loader see the properties that `own` returns instead of the window's own. */
export const replaceInWindows = (own: (view: Window) => object): Window[] =>
  watchWindows((view) => withOwn(view, own(view)))

/** Moves the clock with which a page measures intervals. */
export function advanceClock({ performance }: Window, ms: number): void {
  const now = performance.now.bind(performance)
  const moved = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
  onTestFinished(() => moved.mockRestore())
}

/** Resolves when the window leaves for the widget: on a busy machine, polling would notice it too late. */
export const leaves = (widget: PurchaseWidget): Promise<void> =>
  new Promise((resolve) => {
    widget.on('statechange', ({ status }) => {
      if (status === 'loading') resolve()
    })
  })

/** What the tests do with the windows that the loader opens. */
import { expect, vi } from 'vitest'
import type { PurchaseWidget } from '../../src/index.ts'
import { reaches, watchWindows } from './page.ts'

export const isElsewhere = (view: Window | undefined): boolean => {
  try {
    return !view?.document
  } catch {
    return true
  }
}

/** The window has shown the widget for two seconds of the page's clock, after which it counts as loaded. */
export async function hasShown(widget: PurchaseWidget, view: Window | undefined): Promise<void> {
  await expect.poll(() => isElsewhere(view)).toBe(true)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_100 })
  await reaches(widget, 'loaded')
  vi.useRealTimers()
}

/** Lets the loader see what `own` says in place of a window's own properties. */
export const replaceInWindows = (own: (view: Window) => object): Window[] =>
  watchWindows((view) => {
    const replaced = own(view)
    return new Proxy(view, {
      get(target, name) {
        const value = Reflect.get(name in replaced ? replaced : target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
      set: (target, name, value) => Reflect.set(target, name, value),
    })
  })

/** The moment at which the window leaves for the widget: a busy machine polls for it too late. */
export const leaves = (widget: PurchaseWidget): Promise<void> =>
  new Promise((resolve) => {
    widget.on('statechange', ({ status }) => {
      if (status === 'loading') resolve()
    })
  })

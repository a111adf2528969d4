/** A widget whose second stage loads or fails when the test says so. */
import { onTestFinished, vi } from 'vitest'
import type { PurchaseWidgetOptions } from '../../src/index.ts'
import { createLateSession } from '../../src/lateSession.ts'
import * as rest from '../../src/rest.ts'
import type { Rest } from '../../src/stage.ts'
import { createWidget } from '../../src/widget.ts'
import { createCompanion, type TestCompanion } from './page.ts'

/** A second stage that loads or fails when the test says so. */
function createStage() {
  let now: Rest | undefined
  let resolve = (_: Rest): void => {}
  let reject = (_: Error): void => {}
  let loading: Promise<Rest> | undefined
  const load = vi.fn(() => {
    loading ??= new Promise<Rest>((...settle) => {
      ;[resolve, reject] = settle
    }).finally(() => {
      loading = undefined
    })
    return loading
  })
  return {
    load,
    now: () => now,
    arrive() {
      now = rest
      resolve(rest)
    },
    fail: () => reject(new TypeError('Failed to fetch dynamically imported module')),
  }
}

export const makeEarly = async (options: Record<string, unknown> = {}) =>
  makeWith(await createCompanion(), options)

export async function linked(options: Record<string, unknown> = {}) {
  const companion = await createCompanion()
  return makeWith(companion, { ...companion.byLink, ...options })
}

function makeWith(companion: TestCompanion, options: Record<string, unknown>) {
  const stage = createStage()
  const widget = createWidget(
    { companion: companion.url, ...options } as unknown as PurchaseWidgetOptions,
    (store, given) => createLateSession(store, given, stage),
  )
  onTestFinished(() => {
    widget.destroy()
    sessionStorage.clear()
  })
  return { companion, stage, widget }
}

/** The messages of the first stage itself, removed after the test. */
export function alerts(): (string | null)[] {
  const lines = [...document.querySelectorAll('p[role=alert]')]
  onTestFinished(() => {
    for (const line of lines) line.remove()
  })
  return lines.map(({ textContent }) => textContent)
}

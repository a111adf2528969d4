/** A widget whose second stage loads or fails when the test says so. */
import { onTestFinished, vi } from 'vitest'
import { defer } from '../../src/delay.ts'
import type { PurchaseWidgetOptions } from '../../src/index.ts'
import { createLateSession } from '../../src/lateSession.ts'
import * as rest from '../../src/rest.ts'
import type { Rest } from '../../src/stage.ts'
import { createWidget } from '../../src/widget.ts'
import { createCompanion, type TestCompanion } from './page.ts'

/** A second stage that loads or fails when the test says so. */
function createStage() {
  let now: Rest | undefined
  let loading: ReturnType<typeof defer<Rest | undefined>> | undefined
  const load = vi.fn(() => {
    loading ??= defer<Rest | undefined>()
    return loading.promise
  })
  function settle(loaded?: Rest): void {
    now = loaded
    loading?.resolve(loaded)
    loading = undefined
  }
  return {
    load,
    now: () => now,
    arrive: () => settle(rest),
    fail: () => settle(),
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

/** A session whose second stage loads when the page is idle, and at the latest in the click. */
import { type EarlyOpening, openEarly } from './early.ts'
import type { Store } from './emitter.ts'
import { destroyedResult } from './errors.ts'
import type { Session } from './session.ts'
import { type Stage, secondStage } from './stage.ts'
import type { PurchaseWidgetOptions } from './types.ts'

export function createLateSession(
  store: Store,
  options: PurchaseWidgetOptions,
  stage: Stage = secondStage,
): Session {
  const { getSnapshot } = store
  let given = options
  let session: Session | undefined
  /** Begun by the newest click that came before the second stage. */
  let early: EarlyOpening | undefined
  /** Since that click. */
  let hasChanged = false

  /** That opening, until its result, and then as long as its window is open: another one could be paid too. */
  const current = (): EarlyOpening | undefined =>
    getSnapshot().status !== 'settled' || early?.isElsewhere(hasChanged) ? early : undefined

  /** Loads the second stage before the click; if that fails, the click tries again. */
  async function prepare(act = (_: Session): void => {}): Promise<void> {
    const rest = stage.now() ?? (await stage.load())
    // A click that waits creates the session itself.
    if (!rest || current() || getSnapshot().status === 'destroyed') return
    session ??= rest.createSession(store, given)
    act(session)
  }

  /** Opens the widget with the options at the click; options that come later apply to the next opening. */
  function openNow(): EarlyOpening {
    const clicked = given
    hasChanged = false
    return openEarly(clicked, stage, store, (rest, click) => {
      session = rest.createSession(store, clicked)
      const result = session.open(click)
      if (given !== clicked) session.update(given, true)
      return result
    })
  }

  // On a server there is nothing to prepare.
  if (globalThis.document)
    if (stage.now() || (given.preload ?? 'none') !== 'none') void prepare()
    else whenIdle(prepare)
  return {
    update(next, changes) {
      given = next
      hasChanged ||= changes
      session?.update(next, changes)
    },
    preload: () => void prepare((ready) => ready.preload()),
    open() {
      early = current()
      const rest = stage.now()
      if (!early && rest) {
        session ??= rest.createSession(store, given)
        return session.open()
      }
      early ??= openNow()
      // Brings the widget to the front, if the second stage already shows it.
      if (session) void session.open()
      else early.show()
      return early.result
    },
    close() {
      session?.close()
      early?.giveUp({ status: 'closed' })
    },
    focus: () => session?.focus(),
    destroy() {
      session?.destroy()
      early?.giveUp(destroyedResult)
    },
  }
}

/** A page that is never idle waits for two seconds. */
function whenIdle(act: () => void): void {
  globalThis.requestIdleCallback?.(() => act(), { timeout: 2_000 }) ?? setTimeout(act)
}

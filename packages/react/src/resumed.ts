/** The purchase in which the page was reloaded: every component is busy with it, and one tells its result. */
import { getPendingResult, type PurchaseResult, type WidgetState } from '@purchase-widget/loader'
import type { Props } from './props.ts'
import { idle, type Slot, tell } from './slot.ts'

/** What has been told: however often the page asks, it gets the same result. */
let told: PurchaseResult | undefined

/** A slot whose state is that of the earlier purchase, until it opens a widget of its own. */
export function withResumed(slot: Slot): Slot {
  let newest: Props
  let resumed: WidgetState | undefined
  let onChange: (() => void) | undefined

  /** False where the component has gone, or has opened a widget, which tells by itself. */
  function enter(state: WidgetState): boolean {
    if (!onChange || slot.getSnapshot().status !== 'idle') return false
    resumed = state
    onChange()
    tell(newest, 'statechange', state)
    return true
  }

  async function resume(): Promise<void> {
    const { companion, mode = 'modal' } = newest
    if (resumed || !companion) return
    resumed = idle
    const result = await getPendingResult({
      ...newest,
      companion,
      onPending: () => void enter({ status: 'confirming', mode }),
    })
    const wasPending = resumed !== idle
    // That the server is away alarms nobody.
    if (!result || (result.status === 'unknown' && !wasPending)) return void (wasPending && enter(idle))
    if (!enter({ status: 'settled', result }) || told === result) return
    told = result
    if (result.status === 'success' || result.status === 'failure') tell(newest, result.status, result)
    tell(newest, 'result', result)
  }

  return {
    ...slot,
    getSnapshot() {
      const state = slot.getSnapshot()
      return (state.status === 'idle' && resumed) || state
    },
    update(props) {
      newest = props
      slot.update(props)
    },
    subscribe(listener) {
      onChange = listener
      const unsubscribe = slot.subscribe(listener)
      void resume()
      return () => {
        onChange = undefined
        unsubscribe()
      }
    },
  }
}

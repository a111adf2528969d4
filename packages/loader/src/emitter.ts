/** A widget's events, and its state. */
import type { PurchaseResult, WidgetError, WidgetEventMap, WidgetState } from './types.ts'

export interface Store {
  /** False when there is no listener. An exception in one listener is reported, and does not affect the others. */
  emit<Type extends keyof WidgetEventMap>(type: Type, payload: WidgetEventMap[Type]): boolean
  on<Type extends keyof WidgetEventMap>(
    type: Type,
    listener: (payload: WidgetEventMap[Type]) => void,
  ): () => void
  /** Returns the same object until the state changes. */
  getSnapshot(): WidgetState
  enter(next: WidgetState): void
  /** Enters the final state and emits the result. */
  settle(result: PurchaseResult): void
  /** Emits an error, or logs it in the console if there is no listener, and ends with it. */
  fail(error: WidgetError): PurchaseResult
}

/** Reports an error to the developer: by the event, otherwise in the console. */
export function emitError(emit: Store['emit'], error: WidgetError): void {
  if (!emit('error', error)) console.error(`${error.code}: ${error.message}`)
}

export function createStore(): Store {
  const listeners = new Set<{ type: string; listener: (payload: never) => void }>()
  let state: WidgetState = { status: 'idle' }

  const emit: Store['emit'] = (type, payload) => {
    const matching = [...listeners].filter((each) => each.type === type)
    for (const { listener } of matching) {
      try {
        listener(payload as never)
      } catch (error) {
        // Not in every environment.
        globalThis.reportError?.(error)
      }
    }
    return matching.length > 0
  }

  const enter = (next: WidgetState): void => {
    // Another attempt may start in the state where the last one stopped.
    if ('mode' in next && 'mode' in state && next.status === state.status && next.mode === state.mode) return
    state = next
    emit('statechange', next)
  }

  function settle(result: PurchaseResult): void {
    enter({ status: 'settled', result })
    if (result.status === 'success') emit('success', result)
    else if (result.status === 'failure') emit('failure', result)
    emit('result', result)
  }

  return {
    emit,
    on(type, listener) {
      // The same function may be registered twice.
      const entry = { type, listener }
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },
    getSnapshot: () => state,
    enter,
    settle,
    fail(error) {
      const result: PurchaseResult = { status: 'error', error }
      emitError(emit, error)
      settle(result)
      return result
    },
  }
}

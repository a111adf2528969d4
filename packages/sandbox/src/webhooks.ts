/** Sends the webhooks that wait in the database: at least once, again with a growing pause while a target refuses. */
import { type DeliveryRow, findDelivery, pendingDeliveries, saveDelivery } from './state/deliveries.ts'
import type { State } from './state/state.ts'

export interface WebhookSender {
  /** Sends what is waiting. */
  wake(): void
  /** Forgets pauses and waiting retries; what is pending in the database is found by the next `wake`. */
  stop(): void
}

const attempts = 6
const answerWithinMs = 5000

/** @param retryMs Pause before the second attempt; it doubles with each one after. */
export function createWebhookSender(state: State, retryMs: number): WebhookSender {
  const timers = new Map<string, NodeJS.Timeout>()
  const sending = new Set<string>()

  function wake(): void {
    if (state.closing.aborted) return
    for (const delivery of pendingDeliveries(state))
      if (!sending.has(delivery.id) && !timers.has(delivery.id)) void send(delivery)
  }

  async function send(delivery: DeliveryRow): Promise<void> {
    sending.add(delivery.id)
    const delivered = await post(delivery, state.closing)
    sending.delete(delivery.id)
    if (state.closing.aborted || !findDelivery(state, delivery.id)) return
    const tried = delivery.attempts + 1
    const status = delivered ? 'delivered' : tried < attempts ? 'pending' : 'failed'
    saveDelivery(state, { ...delivery, status, attempts: tried })
    if (status === 'pending') retryLater(delivery.id, retryMs * 2 ** delivery.attempts)
  }

  function retryLater(id: string, pause: number): void {
    const timer = setTimeout(() => {
      timers.delete(id)
      const delivery = findDelivery(state, id)
      if (delivery?.status === 'pending') void send(delivery)
    }, pause)
    timers.set(id, timer)
  }

  return {
    wake,
    stop() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}

/** True when the target answered with a 2xx in time. */
async function post({ url, payload }: DeliveryRow, closing: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(answerWithinMs)]),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/** Sends the webhooks that wait in the database: at least once, again with a growing pause while a target refuses. */
import { findDelivery, pendingDeliveries, saveDelivery } from '../state/deliveries.ts'
import type { DeliveryRow } from '../state/rows.ts'
import type { State } from '../state/state.ts'
import { mayReceiveWebhooks } from './hosts.ts'

export interface WebhookSender {
  /** Sends a delivery soon, after the transaction that it was written in. */
  queue(deliveryId: string): void
  /** Sends what an earlier run of the process left. */
  resume(): void
  /** Forgets what is queued and sends nothing more; the database still has it. */
  stop(): void
}

const attempts = 6
const answerWithinMs = 5000
const atOnce = 16

/** @param retryMs Pause before the second attempt; it doubles with each one after. */
export function createWebhookSender(state: State, retryMs: number): WebhookSender {
  const timers = new Set<NodeJS.Timeout>()
  let queued: string[] = []
  let sending = 0

  function queue(deliveryId: string): void {
    queued.push(deliveryId)
    setImmediate(sendQueued)
  }

  function sendQueued(): void {
    while (sending < atOnce && !state.closing.aborted) {
      const id = queued.shift()
      if (id === undefined) return
      // None when its transaction was rolled back, or after a reset.
      const delivery = findDelivery(state, id)
      if (delivery?.status === 'pending') void send(delivery)
    }
  }

  async function send(delivery: DeliveryRow): Promise<void> {
    sending += 1
    // A database file may hold a target of an earlier run that was allowed more.
    const delivered = mayReceiveWebhooks(state, delivery.url) && (await post(delivery, state.closing))
    sending -= 1
    if (state.closing.aborted) return
    if (findDelivery(state, delivery.id)) settle(delivery, delivered)
    sendQueued()
  }

  function settle(delivery: DeliveryRow, delivered: boolean): void {
    const tried = delivery.attempts + 1
    const status = delivered ? 'delivered' : tried < attempts ? 'pending' : 'failed'
    saveDelivery(state, { ...delivery, status, attempts: tried })
    if (status === 'pending') queueLater(delivery.id, retryMs * 2 ** delivery.attempts)
  }

  function queueLater(deliveryId: string, pause: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      queue(deliveryId)
    }, pause)
    timers.add(timer)
  }

  return {
    queue,
    resume() {
      for (const { id } of pendingDeliveries(state)) queue(id)
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      queued = []
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

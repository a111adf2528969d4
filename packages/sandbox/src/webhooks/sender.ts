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
    const answer = mayReceiveWebhooks(state, delivery.url)
      ? await post(delivery, state.closing)
      : 'this host may not get webhooks'
    sending -= 1
    if (state.closing.aborted) return
    if (findDelivery(state, delivery.id)) settle(delivery, answer)
    sendQueued()
  }

  function settle(delivery: DeliveryRow, answer: string): void {
    const tried = delivery.attempts + 1
    const status = /^2\d\d$/.test(answer) ? 'delivered' : tried < attempts ? 'pending' : 'failed'
    saveDelivery(state, { ...delivery, status, attempts: tried, answer, tried_at: state.clock.now() })
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

/** The status of the answer, or why there was none in time. */
async function post({ url, payload }: DeliveryRow, closing: AbortSignal): Promise<string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(answerWithinMs)]),
    })
    await response.body?.cancel()
    return String(response.status)
  } catch (error) {
    return reasonOf(error)
  }
}

/** `ECONNREFUSED` and the like stand in the cause; a timeout has a name of its own. */
function reasonOf(error: unknown): string {
  const { name, cause } = Object(error)
  if (name === 'TimeoutError') return `no answer within ${answerWithinMs / 1000} s`
  return String(Object(cause).code ?? 'no answer')
}

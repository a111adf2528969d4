/** Sends the webhooks pending in the database: at least once, with exponential backoff while a target refuses. */
import { isLoopbackHost } from '../loopback.ts'
import { invalid } from '../refusal.ts'
import { findDelivery, pendingDeliveries, saveDelivery } from '../state/deliveries.ts'
import type { DeliveryRow } from '../state/rows.ts'
import type { State } from '../state/state.ts'

export interface WebhookSender {
  /** Sends a delivery soon after the transaction that wrote it. */
  queue(deliveryId: string): void
  /** Sends deliveries left by an earlier run of the process. */
  resume(): void
  /** Clears the queue and sends nothing more; the deliveries stay in the database. */
  stop(): void
}

const attempts = 6
const answerWithinMs = 5000
const atOnce = 16
/** Characters; enough for the reason at the top of a framework's error page. */
const keptOfResponse = 2000

/** The status of a response and the beginning of its body, or the reason why none arrived in time. */
type Answer = Pick<DeliveryRow, 'answer' | 'response'>

/** @param retryMs Delay before the second attempt; it doubles with each further attempt. */
export function createWebhookSender(state: State, retryMs: number): WebhookSender {
  const timers = new Set<NodeJS.Timeout>()
  let queued: string[] = []
  let sending = 0

  function queue(deliveryId: string): void {
    queued.push(deliveryId)
    setImmediate(sendQueued)
  }

  function sendQueued(): void {
    while (sending < atOnce && !state.options.closing.aborted) {
      const id = queued.shift()
      if (id === undefined) return
      // Undefined when its transaction was rolled back, or after a reset.
      const delivery = findDelivery(state, id)
      if (delivery?.status === 'pending') void send(delivery)
    }
  }

  async function send(delivery: DeliveryRow): Promise<void> {
    sending += 1
    // A database file may contain a target that only an earlier run allowed.
    const answer = mayReceiveWebhooks(state, delivery.url)
      ? await post(delivery, state.options.closing)
      : { answer: 'webhooks to this host are not allowed', response: '' }
    sending -= 1
    if (state.options.closing.aborted) return
    if (findDelivery(state, delivery.id)) settle(delivery, answer)
    sendQueued()
  }

  function settle(delivery: DeliveryRow, answered: Answer): void {
    const tried = delivery.attempts + 1
    const accepted = /^2\d\d$/.test(answered.answer)
    const status = accepted ? 'delivered' : tried < attempts ? 'pending' : 'failed'
    saveDelivery(state, { ...delivery, ...answered, status, attempts: tried, tried_at: state.clock.now() })
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

async function post({ url, payload }: DeliveryRow, closing: AbortSignal): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(answerWithinMs)]),
    })
    return { answer: String(response.status), response: await beginningOf(response) }
  } catch (error) {
    return { answer: reasonOf(error), response: '' }
  }
}

async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      // Leaving the loop cancels the rest.
      if (text.length >= keptOfResponse) break
    }
  } catch {
    // The status has arrived, and counts even when the body is cut off.
  }
  return text.slice(0, keptOfResponse)
}

/** The cause contains codes such as `ECONNREFUSED`; a timeout has its own name. */
function reasonOf(error: unknown): string {
  const { name, cause } = Object(error)
  if (name === 'TimeoutError') return `no answer within ${answerWithinMs / 1000} s`
  return String(Object(cause).code ?? 'no answer')
}

/** Clients of the control plane choose addresses and bodies, and must not be able to reach other machines that way. */
function mayReceiveWebhooks(state: State, url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? ''
  return isLoopbackHost(hostname) || state.options.webhookHosts.includes(hostname)
}

/** @throws Refusal (400) for an address to which webhooks may not be sent. */
export function checkWebhookUrl(state: State, url: string): void {
  if (!mayReceiveWebhooks(state, url))
    throw invalid('url', 'must be on localhost, or on a host allowed with webhookHosts (--webhook-host)')
}

/**
 * Writes the webhooks that report a change, in the same transaction as the change. The interface shows none (U13): there
 * are three assumed formats, one of them the default.
 */
import { type OrderRecord, toOrderRecord } from '../service/orderRecord.ts'
import type { Switches } from '../simulation/switches.ts'
import { addDelivery, listTargets } from '../state/deliveries.ts'
import type { State, StateEvent } from '../state/state.ts'

export function queueWebhooks(state: State, event: StateEvent): void {
  const targets = listTargets(state)
  if (targets.length === 0) return
  const payload = webhookPayload(state.switches, event)
  const order_id = 'order' in event ? event.order.id : (event.order_id ?? '')
  const copies = state.switches.webhookDelivery === 'twice' ? 2 : 1
  for (const { url } of targets)
    for (let copy = 0; copy < copies; copy++)
      addDelivery(state, { event: event.event, order_id, url, payload })
}

interface WebhookData {
  order_id?: string
  custom_id?: string
  /** Section 4.7: the user id as it appears in webhooks. */
  external_user_id: string
  type?: string
}

type WebhookPayload =
  | { event: string; data: WebhookData }
  | ({ event: string } & WebhookData)
  | (OrderRecord & { external_user_id: string })

function webhookPayload(switches: Switches, event: StateEvent): WebhookPayload {
  const data = dataOf(switches, event)
  switch (switches.webhookPayload) {
    case 'nested':
      return { event: event.event, data }
    case 'flat':
      return { event: event.event, ...data }
    case 'record':
      return 'order' in event
        ? { ...toOrderRecord(switches, event.order), external_user_id: event.order.user_id }
        : { event: event.event, ...data }
  }
}

function dataOf(switches: Switches, event: StateEvent): WebhookData {
  if ('order' in event) {
    const { id, custom_id, type } = toOrderRecord(switches, event.order)
    return { order_id: id, custom_id: custom_id ?? '', external_user_id: event.order.user_id, type }
  }
  const { event: _, user_id, ...rest } = event
  return { ...rest, external_user_id: user_id }
}

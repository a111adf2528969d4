/** What a webhook says. The interface shows none (U13): these are three guesses, one of them the default. */
import { type OrderRecord, toOrderRecord } from '../service/records/order.ts'
import type { Switches } from '../simulation/switches.ts'
import type { StateEvent } from '../state/events.ts'

interface WebhookData {
  order_id?: string
  custom_id?: string
  /** Section 4.7: the user id as webhooks carry it. */
  external_user_id: string
  type?: string
}

export type WebhookPayload =
  | { event: string; data: WebhookData }
  | ({ event: string } & WebhookData)
  | (OrderRecord & { external_user_id: string })

export function webhookPayload(switches: Switches, event: StateEvent): WebhookPayload {
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

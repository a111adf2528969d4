/** Writes the webhooks that tell of a change, in the same transaction as the change. */
import { addDelivery, listTargets } from '../state/deliveries.ts'
import type { StateEvent } from '../state/events.ts'
import type { State } from '../state/state.ts'
import { webhookPayload } from './payload.ts'

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

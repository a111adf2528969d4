/** Tells the shop's backend about every state of every order. */
import { createHash } from 'node:crypto'
import type { OnOrder, OrderEvent } from '../purchase/purchase.ts'
import type { HookAddress } from './configuration.ts'
import type { CallHook } from './hook.ts'
import type { Log } from './log.ts'

/** A signed 2xx is done. Anything else rejects, so that the companion tries again, and lists it as a dead letter in the end. */
export function onOrderByHook(callHook: CallHook, hook: HookAddress, log: Log): OnOrder {
  return async ({ order, purchase }) => {
    await callHook({ ...hook, name: 'onOrder', id: idOf(order), body: { order, purchase } })
    log('info', 'order_delivered', { orderId: order.id, type: order.type, state: purchase.state })
  }
}

/** One for each order and state, the same on every try: the shop's unique key. A digest, since a header takes no arbitrary text. */
const idOf = ({ id, type }: Pick<OrderEvent['order'], 'id' | 'type'>): string =>
  `order_${createHash('sha256')
    .update(JSON.stringify([id, type]))
    .digest('base64url')}`

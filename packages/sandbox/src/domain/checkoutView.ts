/** A visit as the widget page sees it. */
import { findOrder } from '../state/orders.ts'
import { type CheckoutVisit, type OrderRow, subscriptionStatus } from '../state/rows.ts'
import type { State } from '../state/state.ts'
import { subscriptionOfOrder } from '../state/subscriptions.ts'
import { findUserByEmail } from '../state/users.ts'
import type { Checkout } from '../widget/protocol.ts'
import { limitKindOf, offerOf, offersFor } from './catalog.ts'
import { decline, isDeclineCode } from './declines.ts'
import { remaining } from './kyc.ts'
import { redirectOf } from './redirect.ts'

export function toCheckout(state: State, visit: CheckoutVisit): Checkout {
  const offers = offersFor(visit.params)
  const offer = offerOf(visit)
  const order = visit.order_id ? findOrder(state, visit.order_id) : undefined
  const shopper = visit.email ? findUserByEmail(state, visit.email) : undefined
  return {
    id: visit.id,
    offers,
    offer,
    email: visit.email,
    exampleEmail: exampleEmail(visit.params.custom_id),
    step: visit.step,
    order: order ? orderSummary(order) : null,
    remaining: shopper ? remaining(state.limits, shopper, limitKindOf(offer.kind)) : null,
    redirect: order ? redirectOf(state.switches, order) : null,
    subscription: order ? subscriptionSummary(state, order) : null,
    postsMessages: state.switches.postsMessages,
  }
}

/** The merchant's id may be anything; what an address cannot hold is left out. */
const exampleEmail = (customId = ''): string =>
  `${customId.replaceAll(/[^\w-]/g, '').slice(0, 64) || 'shopper'}@example.com`

function orderSummary({ id, type, decline_code }: OrderRow): Checkout['order'] {
  const declined = decline_code && isDeclineCode(decline_code) ? decline(decline_code) : null
  return { id, type, decline: declined }
}

function subscriptionSummary(state: State, order: OrderRow): Checkout['subscription'] {
  const subscription = subscriptionOfOrder(state, order.id)
  if (!subscription) return null
  return {
    status: subscription.status === subscriptionStatus.active ? 'active' : 'canceled',
    next_paid_date: new Date(subscription.next_paid_date).toISOString(),
    interval_time: subscription.interval_time,
  }
}

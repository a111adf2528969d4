/** Charges a card for a visit to the widget page; each visit has at most one payment in progress. */
import { forbidden, Refusal } from '../refusal.ts'
import { pause } from '../simulation/clock.ts'
import { requireVisit, saveVisit } from '../state/checkouts.ts'
import { findOrder, requireOrder } from '../state/orders.ts'
import type { Card, CheckoutVisit, OrderRow } from '../state/rows.ts'
import type { State } from '../state/state.ts'
import { findOrAddShopper, linkCard, setFullKyc } from '../state/users.ts'
import type { Offer } from '../widget/protocol.ts'
import { limitKindOf, offerOf } from './catalog.ts'
import { withinFullLimit, withinLimit } from './kyc.ts'
import { completePayment, failPayment, startPayment } from './payments.ts'
import { beginSubscription } from './subscriptions.ts'

/** A second click during a payment returns the promise of the first. */
export function attempt(state: State, visit: CheckoutVisit, card: Card): Promise<CheckoutVisit> {
  if (visit.step === 'complete') return Promise.resolve(visit)
  const running = state.payments.get(visit.id)
  if (running) return running
  const payment = charge(state, visit, card).finally(() => state.payments.delete(visit.id))
  state.payments.set(visit.id, payment)
  return payment
}

/** Uses one transaction, or two separated by the delay that the switch `paymentMs` sets. */
async function charge(state: State, visit: CheckoutVisit, card: Card): Promise<CheckoutVisit> {
  const offer = offerOf(visit)
  const wait = state.switches.paymentMs
  if (wait === 0) return chargeAtOnce(state, visit, card)
  const started = state.db.transaction(() => begin(state, visit, offer, card))
  if (started.step === 'identity') return started
  await pause(wait, state.options.closing)
  return state.db.transaction(() => end(state, requireVisit(state, started.id), offer, card))
}

/** Starts and ends the payment in one transaction. */
export function chargeAtOnce(state: State, visit: CheckoutVisit, card: Card): CheckoutVisit {
  const offer = offerOf(visit)
  return state.db.transaction(() => {
    const started = begin(state, visit, offer, card)
    return started.step === 'identity' ? started : end(state, started, offer, card)
  })
}

/** Starts the payment, or stops for full KYC when a limit would be exceeded. */
function begin(state: State, visit: CheckoutVisit, offer: Offer, card: Card): CheckoutVisit {
  const shopper = findOrAddShopper(state, visit.email ?? '')
  const kind = limitKindOf(offer.kind)
  if (!withinLimit(state.limits, shopper, kind, offer.quote_amount)) {
    if (!withinFullLimit(state.limits, shopper, kind, offer.quote_amount))
      throw forbidden('This purchase is above what you may spend, also with full verification.', 'product_id')
    if (shopper.fkyc_status === 'not initiated') setFullKyc(state, shopper.user_id, 'pending')
    return saveVisit(state, { ...visit, step: 'identity', card })
  }
  const { token, params } = visit
  const order = startPayment(state, { shopper, offer, params, token }, findOrder(state, visit.order_id ?? ''))
  return saveVisit(state, { ...visit, step: 'pay', card: null, order_id: order.id })
}

function end(state: State, visit: CheckoutVisit, offer: Offer, card: Card): CheckoutVisit {
  const started = requireOrder(state, visit.order_id ?? '')
  // Another snapshot was restored during the payment.
  if (started.type !== 'payment_started') throw new Refusal(409, 'The payment was interrupted.')
  const order = finishPayment(state, started, offer, card)
  return saveVisit(state, { ...visit, step: order.type === 'order_complete' ? 'complete' : 'declined' })
}

/** Ends a payment as the card determines; a decline releases the amount. Runs in the caller's transaction. */
function finishPayment(state: State, order: OrderRow, offer: Offer, card: Card): OrderRow {
  if (card.decline) return failPayment(state, order, card.decline, card.decline)
  const { card_id } = linkCard(state, order.user_id, card)
  const complete = completePayment(state, order, card_id)
  if (offer.kind === 'subscription') beginSubscription(state, complete, card_id, offer.interval_time)
  return complete
}

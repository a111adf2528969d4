/** The shopper's actions on the widget page: choose, pay, pass full KYC, cancel. The page itself is in src/widget. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { invalid, parse } from '../refusal.ts'
import { addVisit, requireVisit, saveVisit } from '../state/checkouts.ts'
import { findOrder } from '../state/orders.ts'
import { type CheckoutVisit, type OrderRow, subscriptionStatus, type WidgetParams } from '../state/rows.ts'
import type { State } from '../state/state.ts'
import { subscriptionOfOrder } from '../state/subscriptions.ts'
import { requireToken } from '../state/tokens.ts'
import { findOrAddShopper, findUser, findUserByEmail, setFullKyc } from '../state/users.ts'
import type { Checkout, ChooseOffer, PayCheckout, ProveIdentity, StartCheckout } from '../widget/protocol.ts'
import { readCard } from './cards.ts'
import { firstOffer, limitKindOf, offerOf, offersFor } from './catalog.ts'
import { attempt, chargeAtOnce } from './charge.ts'
import { remaining } from './kyc.ts'
import { checkReturnAddresses, redirectOf } from './redirect.ts'
import { cancelSubscription } from './subscriptions.ts'

const emailSchema = z.email('must be an e-mail address')

/** @throws Refusal (401) for a token that is not live, (400) naming an invalid parameter. */
export function startCheckout(state: State, { accessToken, params: given }: StartCheckout): CheckoutVisit {
  const { token } = requireToken(state, accessToken)
  const params = state.switches.widgetParams === 'orderFields' ? given : {}
  checkReturnAddresses(params)
  const product_id = firstOffer(params).product_id
  const email = knownEmail(state, params)
  return addVisit(state, { token, params, product_id, email, step: 'pay', card: null, order_id: null })
}

function knownEmail(state: State, params: WidgetParams): string | null {
  if (params.email) return parse(emailSchema, params.email, 'email')
  return params.user_id ? (findUser(state, params.user_id)?.email ?? null) : null
}

/** @throws Refusal (404) for an unknown visit, (401) when its token has expired or been replaced since. */
export function openVisit(state: State, id: string): CheckoutVisit {
  const visit = requireVisit(state, id)
  requireToken(state, visit.token)
  return visit
}

export function chooseOffer(state: State, visit: CheckoutVisit, { product_id }: ChooseOffer): CheckoutVisit {
  if (visit.step === 'complete') return visit
  if (!offersFor(visit.params).some((offer) => offer.product_id === product_id))
    throw invalid('product_id', 'is not on sale here')
  return saveVisit(state, { ...visit, product_id, step: 'pay', card: null })
}

/**
 * Pays with a card. A complete visit is not charged again; after a decline the shopper can retry, with a new order or
 * the same one (U25).
 */
export function payCheckout(state: State, visit: CheckoutVisit, input: PayCheckout): Promise<CheckoutVisit> {
  return attempt(state, withEmail(visit, input), readCard(input, state.clock.now()))
}

/** Pays without the delay that the switch `paymentMs` sets. */
export const payAtOnce = (state: State, visit: CheckoutVisit, input: PayCheckout): CheckoutVisit =>
  chargeAtOnce(state, withEmail(visit, input), readCard(input, state.clock.now()))

const withEmail = (visit: CheckoutVisit, { email }: PayCheckout): CheckoutVisit => ({
  ...visit,
  email: parse(emailSchema, email.trim(), 'email'),
})

/** Completes full KYC; a payment that waited for it continues. */
export function proveIdentity(
  state: State,
  visit: CheckoutVisit,
  { camera }: ProveIdentity,
): Promise<CheckoutVisit> {
  const { card, email } = visit
  // A visit holds card data only while a payment waits for full KYC.
  if (!card || !email) return Promise.resolve(visit)
  if (!camera) throw invalid('camera', 'must be allowed, to compare you with the document')
  state.db.transaction(() => setFullKyc(state, findOrAddShopper(state, email).user_id, 'success'))
  return attempt(state, visit, card)
}

export function cancelCheckoutSubscription(state: State, visit: CheckoutVisit): CheckoutVisit {
  cancelSubscription(state, visit.order_id ?? '')
  return visit
}

/** A visit as the widget page sees it. */
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
    exampleEmail: exampleEmail(visit.params.custom_id || 'shopper'),
    step: visit.step,
    order: order ? { id: order.id, type: order.type, decline: order.decline_code } : null,
    remaining: shopper ? remaining(state.limits, shopper, limitKindOf(offer.kind)) : null,
    redirect: order ? redirectOf(state.switches, order) : null,
    subscription: order ? subscriptionSummary(state, order) : null,
    postsMessages: state.switches.postsMessages,
  }
}

/**
 * The merchant's id may be any text. If it does not fit into an e-mail address as it is, a hash keeps the addresses of
 * similar ids apart.
 */
function exampleEmail(customId: string): string {
  if (/^[\w-]{1,64}$/.test(customId)) return `${customId}@example.com`
  const readable = customId.replaceAll(/[^\w-]/g, '').slice(0, 55) || 'shopper'
  const hash = createHash('sha256').update(customId).digest('hex').slice(0, 8)
  return `${readable}-${hash}@example.com`
}

function subscriptionSummary(state: State, order: OrderRow): Checkout['subscription'] {
  const subscription = subscriptionOfOrder(state, order.id)
  if (!subscription) return null
  return {
    status: subscription.status === subscriptionStatus.active ? 'active' : 'canceled',
    next_paid_date: new Date(subscription.next_paid_date).toISOString(),
  }
}

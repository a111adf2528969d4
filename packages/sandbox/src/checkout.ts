/** What a shopper does on the widget page: choose, pay, prove who they are, cancel. The page is src/widget. */
import { z } from 'zod'
import { type Card, type CardInput, readCard } from './cards.ts'
import { limitKindOf, offersFor, type WidgetParams } from './catalog.ts'
import { decline, isDeclineCode } from './declines.ts'
import { forbidden, invalid, parse } from './errors.ts'
import { remaining, withinFullLimit, withinLimit } from './kyc.ts'
import { pause } from './pause.ts'
import { finishPayment, startPayment } from './payments.ts'
import { checkReturnAddresses, redirectOf } from './redirect.ts'
import { cancelSubscription } from './renewals.ts'
import { addVisit, type CheckoutVisit, requireVisit, saveVisit } from './state/checkouts.ts'
import { findOrder, type OrderRow, requireOrder } from './state/orders.ts'
import type { State } from './state/state.ts'
import { subscriptionOfOrder, subscriptionStatus } from './state/subscriptions.ts'
import { requireToken } from './state/tokens.ts'
import { findOrAddShopper, findUser, findUserByEmail, setFullKyc } from './state/users.ts'
import type {
  Checkout,
  ChooseOffer,
  Offer,
  PayCheckout,
  ProveIdentity,
  StartCheckout,
} from './widgetProtocol.ts'

const emailSchema = z.email('must be an e-mail address')

/** @throws Refusal (401) for a token that is not live, (400) naming a parameter that can't be used. */
export function startCheckout(state: State, { accessToken, params: given }: StartCheckout): CheckoutVisit {
  const { token } = requireToken(state, accessToken)
  const params = state.switches.widgetParams === 'orderFields' ? given : {}
  checkReturnAddresses(params)
  const product_id = firstOffer(offersFor(params)).product_id
  const email = knownEmail(state, params)
  return addVisit(state, { token, params, product_id, email, step: 'pay', card: null, order_id: null })
}

function knownEmail(state: State, params: WidgetParams): string | null {
  if (params.email) return parse(emailSchema, params.email, 'email')
  return params.user_id ? (findUser(state, params.user_id)?.email ?? null) : null
}

/** @throws Refusal (404) for an unknown visit, (401) when its token has ended since. */
export function openVisit(state: State, id: string): CheckoutVisit {
  const visit = requireVisit(state, id)
  requireToken(state, visit.token)
  return visit
}

export function chooseOffer(state: State, visit: CheckoutVisit, { product_id }: ChooseOffer): CheckoutVisit {
  if (visit.step === 'complete') return visit
  if (!offersFor(visit.params).some((offer) => offer.product_id === product_id))
    throw invalid('product_id', 'is not on sale here')
  return saveVisit(state, { ...visit, product_id, step: 'pay' })
}

/**
 * Pays with a card. A visit that is complete is not charged again; a decline leaves it open for another try, which is a
 * new order.
 */
export function payCheckout(state: State, visit: CheckoutVisit, input: PayCheckout): Promise<CheckoutVisit> {
  const email = parse(emailSchema, input.email.trim(), 'email')
  return attempt(state, { ...visit, email }, readCard(input satisfies CardInput, state.clock.now()))
}

/** Finishes full KYC; a payment that waited for it goes on. */
export function proveIdentity(
  state: State,
  visit: CheckoutVisit,
  { camera }: ProveIdentity,
): Promise<CheckoutVisit> {
  const { card, email } = visit
  if (visit.step !== 'identity' || !card || !email) return Promise.resolve(visit)
  if (!camera) throw invalid('camera', 'must be allowed, to compare you with the document')
  state.db.transaction(() => setFullKyc(state, findOrAddShopper(state, email).user_id, 'success'))
  return attempt(state, visit, card)
}

export function cancelCheckoutSubscription(state: State, visit: CheckoutVisit): CheckoutVisit {
  cancelSubscription(state, visit.order_id ?? '')
  return visit
}

/** A second click while a payment runs joins the first one's. */
function attempt(state: State, visit: CheckoutVisit, card: Card): Promise<CheckoutVisit> {
  if (visit.step === 'complete') return Promise.resolve(visit)
  const running = state.payments.get(visit.id)
  if (running) return running
  const payment = charge(state, visit, card).finally(() => state.payments.delete(visit.id))
  state.payments.set(visit.id, payment)
  return payment
}

/** One transaction, or two with the time between them that the switch `paymentMs` asks for. */
async function charge(state: State, visit: CheckoutVisit, card: Card): Promise<CheckoutVisit> {
  const offer = offerOf(visit)
  const wait = state.switches.paymentMs
  const begun = state.db.transaction(() => {
    const begun = begin(state, visit, offer, card)
    return begun.step === 'identity' || wait > 0 ? begun : end(state, begun, offer, card)
  })
  if (begun.step !== 'pay') return begun
  await pause(wait, state.closing)
  return state.db.transaction(() => end(state, requireVisit(state, begun.id), offer, card))
}

/** Starts the payment, or stops for full KYC when a limit would be passed. */
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
  const order = startPayment(state, { shopper, offer, params, token })
  return saveVisit(state, { ...visit, step: 'pay', card: null, order_id: order.id })
}

function end(state: State, visit: CheckoutVisit, offer: Offer, card: Card): CheckoutVisit {
  const order = finishPayment(state, requireOrder(state, visit.order_id ?? ''), offer, card)
  return saveVisit(state, { ...visit, step: order.type === 'order_complete' ? 'complete' : 'declined' })
}

/** The visit as the page sees it. */
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
    step: visit.step,
    order: order ? orderSummary(order) : null,
    remaining: shopper ? remaining(state.limits, shopper, limitKindOf(offer.kind)) : null,
    redirect: order ? redirectOf(state.switches, order) : null,
    subscription: order ? subscriptionSummary(state, order) : null,
    postsMessages: state.switches.postsMessages,
  }
}

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

function offerOf(visit: CheckoutVisit): Offer {
  const offers = offersFor(visit.params)
  return offers.find(({ product_id }) => product_id === visit.product_id) ?? firstOffer(offers)
}

function firstOffer([first]: readonly Offer[]): Offer {
  if (!first) throw new Error('The catalogue is empty.')
  return first
}

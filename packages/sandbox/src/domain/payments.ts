/** A payment: starts with an order and a reservation of the shopper's limit, and ends exactly once. */
import { createHash } from 'node:crypto'
import { declineVisitOf } from '../state/checkouts.ts'
import { addOrder, endOrder, ordersInProgress, restartOrder } from '../state/orders.ts'
import type { OrderRow, UserRow, WidgetParams } from '../state/rows.ts'
import type { State } from '../state/state.ts'
import { findUser, setSpending } from '../state/users.ts'
import type { Offer } from '../widget/protocol.ts'
import { limitKindOf } from './catalog.ts'
import { spent, unspent } from './kyc.ts'

export interface Purchase {
  shopper: UserRow
  offer: Offer
  params: WidgetParams
  token: string
}

/**
 * Starts a payment: deducts the amount from the shopper's limit, and creates an order or restarts the failed one (U25).
 * Runs in the caller's transaction.
 */
export function startPayment(state: State, purchase: Purchase, before?: OrderRow): OrderRow {
  const { shopper, offer } = purchase
  const kind = limitKindOf(offer.kind)
  setSpending(state, shopper.user_id, kind, spent(shopper, kind, offer.quote_amount))
  return before && isRetry(state, purchase, before)
    ? restartOrder(state, before)
    : addOrder(state, orderOf(state, purchase))
}

/** A different shopper or product always gets a new order. */
const isRetry = ({ switches }: State, { shopper, offer }: Purchase, before: OrderRow): boolean =>
  switches.retryAfterDecline === 'sameOrder' &&
  before.type === 'order_failed' &&
  before.user_id === shopper.user_id &&
  before.product_id === offer.product_id

export function completePayment(state: State, order: OrderRow, card_id: string): OrderRow {
  const hash = createHash('sha256').update(order.id).digest('hex')
  const transaction_id = order.kind === 'crypto' ? `0x${hash}` : ''
  return endOrder(state, order, { type: 'order_complete', hash, transaction_id, card_id })
}

export function failPayment(
  state: State,
  order: OrderRow,
  fail_reason: string,
  decline_code: OrderRow['decline_code'] = null,
): OrderRow {
  const shopper = findUser(state, order.user_id)
  if (!shopper) throw new Error(`Order ${order.id} has no user.`)
  setSpending(state, shopper.user_id, order.kind, unspent(shopper, order.kind, order.quote_amount))
  return endOrder(state, order, { type: 'order_failed', fail_reason, decline_code })
}

/** After a crash, fails the payments that were in progress; none of them is charged. */
export function failInterruptedPayments(state: State): void {
  state.db.transaction(() => {
    for (const order of ordersInProgress(state)) {
      failPayment(state, order, 'The payment was interrupted.')
      declineVisitOf(state, order.id)
    }
  })
}

/** The content of `partner_data` is invented: the wallet, and the page's parameters that are not fields of an order. */
function orderOf(state: State, { shopper, offer, params, token }: Purchase): Omit<OrderRow, 'type'> {
  const crypto = offer.kind === 'crypto' ? offer : undefined
  const order: Omit<OrderRow, 'type' | 'partner_data'> = {
    id: state.newId(),
    custom_id: params.custom_id ?? '',
    user_id: shopper.user_id,
    product_id: offer.product_id,
    base: crypto?.base ?? '',
    base_amount: crypto?.base_amount ?? '',
    quote: offer.quote,
    quote_amount: offer.quote_amount,
    address: crypto?.address ?? '',
    transaction_id: '',
    full_name: `${shopper.first_name} ${shopper.last_name}`,
    date_of_birth: shopper.date_of_birth,
    phone: shopper.phone,
    email: shopper.email,
    state: shopper.state,
    country: shopper.country,
    city: params.city ?? '',
    street: params.street ?? '',
    postal_code: params.postal_code ?? '',
    utm_source: params.utm_source ?? '',
    clickID: params.clickID ?? '',
    campaignID: params.campaignID ?? '',
    fail_reason: '',
    redirect_url: params.redirect_url ?? '',
    fail_redirect_url: params.fail_redirect_url ?? '',
    redirect_page: params.redirect_page ?? '',
    hash: '',
    decline_code: null,
    kind: limitKindOf(offer.kind),
    token,
    card_id: null,
    created_at: state.clock.now(),
  }
  const input = Object.fromEntries(Object.entries(params).filter(([name]) => !Object.hasOwn(order, name)))
  return { ...order, partner_data: JSON.stringify({ ...(crypto && { address: crypto.address }), input }) }
}

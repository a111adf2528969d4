/**
 * The life cycle of a subscription: a purchase starts it, each due payment is charged, and a cancellation or a failing
 * card ends it. A failed charge is retried on each of the next three days; then the subscription expires.
 */
import { notFound } from '../refusal.ts'
import { addOrder, requireOrder } from '../state/orders.ts'
import { type OrderRow, type SubscriptionRow, subscriptionStatus } from '../state/rows.ts'
import type { State } from '../state/state.ts'
import {
  addSubscription,
  nextDueSubscription,
  saveSubscription,
  subscriptionOfOrder,
} from '../state/subscriptions.ts'
import { findCard, findUser, setSpending } from '../state/users.ts'
import type { Interval } from '../widget/protocol.ts'
import { spent, withinLimit } from './kyc.ts'
import { completePayment, failPayment } from './payments.ts'

const dayMs = 24 * 60 * 60 * 1000
const retryDays = 3

/** The start of the period that begins `count` periods after `start`. */
const periods: Record<Interval, (start: number, count: number) => number> = {
  daily: (start, days) => start + days * dayMs,
  monthly: addMonths,
  yearly: (start, years) => addMonths(start, 12 * years),
}

/** The same time of day `months` later (UTC), or the last day of the month when that day doesn't exist. */
function addMonths(milliseconds: number, months: number): number {
  const date = new Date(milliseconds)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}

/** Creates a subscription whose first period `order` has paid. Runs in the caller's transaction. */
export function beginSubscription(state: State, order: OrderRow, card_id: string, interval: Interval): void {
  const start = state.clock.now()
  addSubscription(state, {
    id: state.newId(),
    order_id: order.id,
    user_id: order.user_id,
    custom_id: order.custom_id,
    product_id: order.product_id,
    card_id,
    interval_time: interval,
    status: subscriptionStatus.active,
    start_date: start,
    next_paid: 1,
    ...paid(start, interval, 1, start),
  })
}

type Payment = Pick<
  SubscriptionRow,
  | 'last_paid_date'
  | 'next_paid_date'
  | 'expire_date'
  | 'periods_paid'
  | 'failed_attempts'
  | 'failed_to_paid'
  | 'due_at'
>

/** Computes dates from the start, so that the 31st returns after a short month. */
function paid(start: number, interval: Interval, count: number, at: number): Payment {
  const next = periods[interval](start, count)
  return {
    last_paid_date: at,
    next_paid_date: next,
    expire_date: next + retryDays * dayMs,
    periods_paid: count,
    failed_attempts: 0,
    failed_to_paid: 0,
    due_at: next,
  }
}

/** Processes everything that is due by the sandbox's clock, in date order. */
export function settleSubscriptions(state: State): void {
  for (;;) {
    const due = nextDueSubscription(state, state.clock.now())
    if (!due) return
    state.db.transaction(() => settle(state, due))
  }
}

const settle = (state: State, due: SubscriptionRow): void => saveSubscription(state, settled(state, due))

function settled(state: State, due: SubscriptionRow): SubscriptionRow {
  const at = due.due_at ?? state.clock.now()
  if (due.status === subscriptionStatus.canceled)
    return { ...due, status: subscriptionStatus.expired, due_at: null }
  if (charge(state, due, at).type === 'order_failed') return notPaid(due, at)
  return { ...due, ...paid(due.start_date, due.interval_time, due.periods_paid + 1, at) }
}

function notPaid(subscription: SubscriptionRow, at: number): SubscriptionRow {
  const failed_attempts = subscription.failed_attempts + 1
  const failed: SubscriptionRow = { ...subscription, failed_attempts, failed_to_paid: 1 }
  if (failed_attempts <= retryDays) return { ...failed, next_paid_date: at + dayMs, due_at: at + dayMs }
  return { ...failed, status: subscriptionStatus.expired, next_paid: 0, expire_date: at, due_at: null }
}

/** A renewal is a separate order with the content of the first one. */
function charge(state: State, subscription: SubscriptionRow, at: number): OrderRow {
  const first = requireOrder(state, subscription.order_id)
  const user = findUser(state, subscription.user_id)
  const card = findCard(state, subscription.card_id)
  if (!user || !card) throw new Error(`Subscription ${subscription.id} has no user or no card.`)
  const allowed = withinLimit(state.limits, user, first.kind, first.quote_amount)
  setSpending(state, user.user_id, first.kind, spent(user, first.kind, first.quote_amount))
  const order = addOrder(state, { ...first, ...blanked(state), id: state.newId(), created_at: at })
  if (!allowed) return failPayment(state, order, 'The low-KYC limit is spent: full KYC is required.')
  if (card.renewal_decline) return failPayment(state, order, card.renewal_decline, card.renewal_decline)
  return completePayment(state, order, card.card_id)
}

/** A renewal redirects no shopper; whether its order reflects that is not shown (U26). */
function blanked({ switches }: State): Partial<OrderRow> {
  const blank = { redirect_url: '', fail_redirect_url: '', redirect_page: '' }
  const unpaid = { hash: '', transaction_id: '' }
  return switches.renewalAddresses === 'copied' ? unpaid : { ...blank, ...unpaid }
}

/** Stops renewal; the subscription runs until the end of the paid period. */
export function cancelSubscription(state: State, orderId: string): void {
  state.db.transaction(() => {
    const subscription = subscriptionOfOrder(state, orderId)
    if (!subscription) throw notFound('There is no subscription to cancel.')
    if (subscription.status !== subscriptionStatus.active) return
    const paidUntil = subscription.failed_to_paid ? state.clock.now() : subscription.next_paid_date
    saveSubscription(state, {
      ...subscription,
      status: subscriptionStatus.canceled,
      next_paid: 0,
      expire_date: paidUntil,
      due_at: paidUntil,
    })
  })
}

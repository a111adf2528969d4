/** One document with everything that the console page shows (console/protocol.ts). */
import { z } from 'zod'
import type {
  ConsoleOrder,
  ConsoleRequest,
  ConsoleState,
  ConsoleSubscription,
  ConsoleToken,
} from '../console/protocol.ts'
import { limitsOf } from '../domain/kyc.ts'
import { control, type Operation } from '../service/operation.ts'
import { toOrderRecord } from '../service/orderRecord.ts'
import { faultKinds, faultTargets } from '../simulation/faults.ts'
import { maskText } from '../simulation/requestLog.ts'
import { listSwitches } from '../simulation/switches.ts'
import { listDeliveries, listTargets } from '../state/deliveries.ts'
import { recentOrders } from '../state/orders.ts'
import type { OrderRow, SubscriptionRow, SubscriptionStatus, TokenRow } from '../state/rows.ts'
import type { State } from '../state/state.ts'
import { recentSubscriptions } from '../state/subscriptions.ts'
import { listTokens, tokenStatus } from '../state/tokens.ts'
import { listUsers } from '../state/users.ts'
import { toDelivery } from './webhooks.ts'

const shown = 100

export const getState: Operation = control({
  name: 'getState',
  summary: 'Everything at once, for the console page; the newest 100 of each list',
  method: 'get',
  path: '/_sandbox/state',
  response: z.unknown(),
  run: (state) => read(state),
})

function read(state: State): ConsoleState {
  return {
    now: iso(state.clock.now()),
    clock: { offset_ms: state.clock.offset() },
    orders: recentOrders(state, shown).map((order) => toOrder(state, order)),
    users: listUsers(state, shown).map((user) => ({
      user_id: user.user_id,
      email: user.email,
      fkyc_status: user.fkyc_status,
      lkyc_status: user.lkyc_status,
      limits: limitsOf(state.limits, user),
    })),
    subscriptions: recentSubscriptions(state, shown).map(toSubscription),
    tokens: listTokens(state, shown).map((token) => toToken(token, state.clock.now())),
    webhooks: { targets: listTargets(state), deliveries: listDeliveries(state, shown).map(toDelivery) },
    requests: recentRequests(state.requests.list()),
    switches: listSwitches(state.switches),
    faults: state.faults.list(),
    operations: [...faultTargets],
    fault_kinds: [...faultKinds],
  }
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** The newest that happened once, and the newest repeats, together newest first. */
function recentRequests(requests: readonly ConsoleRequest[]): ConsoleRequest[] {
  const newest = (repeat: boolean): ConsoleRequest[] =>
    requests.filter((request) => request.repeat === repeat).slice(0, shown)
  return [...newest(false), ...newest(true)].sort((one, other) => other.id - one.id)
}

const toOrder = (state: State, order: OrderRow): ConsoleOrder => ({
  id: order.id,
  at: iso(order.created_at),
  type: order.type,
  product_id: order.product_id,
  email: order.email,
  custom_id: order.custom_id,
  quote: order.quote,
  quote_amount: order.quote_amount,
  base: order.base,
  base_amount: order.base_amount,
  fail_reason: order.fail_reason,
  redirect_url: order.redirect_url,
  record: toOrderRecord(state.switches, order),
})

const statusNames: Record<SubscriptionStatus, ConsoleSubscription['status']> = {
  1: 'active',
  2: 'canceled',
  3: 'expired',
}

const toSubscription = (row: SubscriptionRow): ConsoleSubscription => ({
  user_id: row.user_id,
  product_id: row.product_id,
  next_paid_date: iso(row.next_paid_date),
  expire_date: iso(row.expire_date),
  status: statusNames[row.status],
  failed_to_paid: row.failed_to_paid === 1,
  interval_time: row.interval_time,
})

const toToken = (row: TokenRow, now: number): ConsoleToken => ({
  token: maskText(row.token),
  expires_at: row.expires_at === null ? null : iso(row.expires_at),
  status: tokenStatus(row, now),
})

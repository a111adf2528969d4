/** One document with everything that the console shows; the console polls it once a second. */
import { z } from 'zod'
import { type Limits, limitsOf } from '../domain/kyc.ts'
import { control, type Operation } from '../service/operation.ts'
import { type OrderRecord, toOrderRecord } from '../service/orderRecord.ts'
import { type Fault, faultKinds, faultTargets } from '../simulation/faults.ts'
import { type LoggedRequest, maskText } from '../simulation/requestLog.ts'
import { listSwitches, type SwitchReading } from '../simulation/switches.ts'
import { listDeliveries, listTargets } from '../state/deliveries.ts'
import { recentOrders } from '../state/orders.ts'
import type {
  OrderRow,
  SubscriptionRow,
  SubscriptionStatus,
  TargetRow,
  TokenRow,
  UserRow,
} from '../state/rows.ts'
import type { State } from '../state/state.ts'
import { recentSubscriptions } from '../state/subscriptions.ts'
import { listTokens, type TokenStatus, tokenStatus } from '../state/tokens.ts'
import { listUsers } from '../state/users.ts'
import { type Delivery, toDelivery } from './webhooks.ts'

/** Each list has its newest 100 entries, newest first. Times are ISO 8601, whatever the switches say. */
export interface ConsoleState {
  now: string
  clock: { offset_ms: number }
  orders: ConsoleOrder[]
  users: ConsoleUser[]
  subscriptions: ConsoleSubscription[]
  tokens: ConsoleToken[]
  webhooks: { targets: TargetRow[]; deliveries: Delivery[] }
  requests: LoggedRequest[]
  switches: SwitchReading[]
  faults: Fault[]
  /** The operations into which a fault can be injected. */
  operations: string[]
  fault_kinds: string[]
}

export interface ConsoleOrder extends Omit<OrderRow, 'created_at' | 'partner_data' | 'token'> {
  at: string
  /** As the API returns it. */
  record: OrderRecord
}

export interface ConsoleUser extends Pick<UserRow, 'user_id' | 'email' | 'fkyc_status' | 'lkyc_status'> {
  limits: Limits
}

export interface ConsoleSubscription
  extends Pick<SubscriptionRow, 'user_id' | 'product_id' | 'interval_time'> {
  next_paid_date: string
  expire_date: string
  status: 'active' | 'canceled' | 'expired'
  failed_to_paid: boolean
}

export interface ConsoleToken {
  /** Masked. */
  token: string
  expires_at: string | null
  status: TokenStatus
}

const shown = 100

export const getState: Operation = control({
  name: 'getState',
  summary: 'Get the whole state for the console page; the newest 100 entries of each list',
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

/** The newest distinct requests and the newest repeats, merged newest first. */
function recentRequests(requests: readonly LoggedRequest[]): LoggedRequest[] {
  const newest = (repeat: boolean): LoggedRequest[] =>
    requests.filter((request) => request.repeat === repeat).slice(0, shown)
  return [...newest(false), ...newest(true)].sort((one, other) => other.id - one.id)
}

function toOrder(state: State, order: OrderRow): ConsoleOrder {
  const { created_at, partner_data: _, token: __, ...shown } = order
  return { ...shown, at: iso(created_at), record: toOrderRecord(state.switches, order) }
}

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

/**
 * What the console page at `/_sandbox/` reads: `GET /_sandbox/state`, once a second. What it changes goes through the control
 * plane like everybody else's requests.
 */

export interface ConsoleState {
  /** The sandbox's clock, ISO 8601. */
  now: string
  clock: { offset_ms: number }
  /** The newest 100 of each list come first. */
  orders: ConsoleOrder[]
  users: ConsoleUser[]
  subscriptions: ConsoleSubscription[]
  tokens: ConsoleToken[]
  webhooks: { targets: { id: string; url: string }[]; deliveries: ConsoleDelivery[] }
  requests: ConsoleRequest[]
  switches: ConsoleSwitch[]
  faults: ConsoleFault[]
  /** What a fault can be injected into, and which kinds there are. */
  operations: string[]
  fault_kinds: string[]
}

export interface ConsoleOrder {
  id: string
  at: string
  type: string
  product_id: string
  email: string
  custom_id: string
  quote: string
  quote_amount: string
  base: string
  base_amount: string
  fail_reason: string
  redirect_url: string
  /** As the API gives it. */
  record: object
}

export interface ConsoleUser {
  user_id: string
  email: string
  fkyc_status: string
  lkyc_status: string
  limits: {
    crypto_remaining: string
    crypto_spending: string
    digital_goods_remaining: string
    digital_goods_spending: string
  }
}

export interface ConsoleSubscription {
  user_id: string
  product_id: string
  /** ISO 8601, whatever the switch `dateFormat` says. */
  next_paid_date: string
  expire_date: string
  status: 'active' | 'canceled' | 'expired'
  failed_to_paid: boolean
  interval_time: string
}

export interface ConsoleToken {
  /** Masked. */
  token: string
  expires_at: string | null
  status: 'live' | 'expired' | 'replaced'
}

/** One webhook on its way to one target, or arrived there. */
export interface ConsoleDelivery {
  id: string
  event: string
  /** Empty when the event has no order. */
  order_id: string
  url: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  at: string
  tried_at: string | null
  /** The status that the target answered with last, or why there was none; empty before the first attempt. */
  answer: string
  /** How the body of that answer begins. */
  response: string
  payload: unknown
}

/** A request that arrived, with secrets masked and long parts cut. */
export interface ConsoleRequest {
  id: number
  /** ISO 8601, by the sandbox's clock. */
  at: string
  /** The operation's name, or null for an address that has none. */
  operation: string | null
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  /** JSON with secrets masked, its size when it is large, or null. */
  body: unknown
  /** The JSON of the answer, kept as the body is. */
  response: unknown
  /** The same request got the same answer before: what a server that polls sends all the time. */
  repeat: boolean
  /** Null when the connection was cut instead of an answer. */
  status: number | null
  ms: number
}

export interface ConsoleSwitch {
  name: string
  row: string
  description: string
  values: readonly (string | number | boolean)[]
  default: string | number | boolean
  value: string | number | boolean
}

export interface ConsoleFault {
  id: number
  operation: string
  kind: string
  status?: number | undefined
  latencyMs?: number | undefined
  /** How many requests it still meets; absent when unlimited. */
  count?: number | undefined
}

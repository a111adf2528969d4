/** Everything one sandbox knows. Operations take it; there is no state anywhere else, so sandboxes live side by side. */
import { randomBytes } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { type Clock, createClock } from '../simulation/clock.ts'
import { createFaults, type Faults } from '../simulation/faults.ts'
import { createRequestLog, type RequestLog } from '../simulation/requestLog.ts'
import { defaultSwitches, type Switches } from '../simulation/switches.ts'
import { type Database, openDatabase } from './database.ts'
import type { StateEvent } from './events.ts'
import type { CheckoutVisit } from './rows.ts'
import { readSetting, writeSetting } from './settings.ts'

export interface Credentials {
  apiKey: string
  secretKey: string
}

/** Decimal amounts in the currency of the purchase; nothing is converted. */
export interface LimitAmounts {
  crypto: string
  digital_goods: string
}

export interface LimitTable {
  /** While `fkyc_status` is anything but `success`. */
  low: LimitAmounts
  full: LimitAmounts
}

export interface State {
  readonly db: Database
  readonly clock: Clock
  readonly credentials: Credentials
  /** The business's own id, in subscriptions as `business_user_id`. */
  readonly businessUserId: string
  /** Hosts besides this machine that webhooks may go to. */
  readonly webhookHosts: readonly string[]
  readonly faults: Faults
  readonly requests: RequestLog
  /** A 26-character id (ULID): sorts by the time of the sandbox's clock, then by order of making. */
  readonly newId: () => string
  /** Payments that run now, by the visit they belong to. */
  readonly payments: Map<string, Promise<CheckoutVisit>>
  /** Aborts when the sandbox closes. */
  readonly closing: AbortSignal
  /** What a reset goes back to. */
  readonly start: Pick<StateOptions, 'limits' | 'clockOffset'>
  switches: Switches
  limits: LimitTable
  /** Called for each change that the merchant may hear of, inside the transaction that makes it. */
  announce: (event: StateEvent) => void
  /** Called for each webhook that was written, inside the transaction that it was written in. */
  onWebhookQueued: (deliveryId: string) => void
}

export interface StateOptions {
  /** A file, or in memory. */
  db: string | undefined
  credentials: Credentials | undefined
  /** The limits at the start and after a reset (U18). */
  limits: LimitTable
  /** Milliseconds between the machine's clock and the sandbox's at the start and after a reset. */
  clockOffset: number
  webhookHosts: readonly string[]
  closing: AbortSignal
}

/** Opens the state; a database file brings back everything but faults and the request log. */
export function openState(options: StateOptions): State {
  const db = openDatabase(options.db)
  const nextId = monotonicFactory()
  const clock = createClock(readSetting(db, 'clockOffset') ?? options.clockOffset)
  const newId = (): string => nextId(clock.now())
  return {
    db,
    clock,
    newId,
    credentials: keep(db, 'credentials', options.credentials, newCredentials),
    businessUserId: keep(db, 'businessUserId', undefined, newId),
    webhookHosts: options.webhookHosts,
    faults: createFaults(),
    requests: createRequestLog(),
    payments: new Map(),
    closing: options.closing,
    start: options,
    switches: { ...defaultSwitches(), ...readSetting<Partial<Switches>>(db, 'switches') },
    limits: readSetting(db, 'limits') ?? options.limits,
    announce: () => {},
    onWebhookQueued: () => {},
  }
}

const newCredentials = (): Credentials => ({
  apiKey: `sandbox_api_key_${randomBytes(12).toString('hex')}`,
  secretKey: `sandbox_secret_key_${randomBytes(24).toString('hex')}`,
})

/** What was given, else what the database has, else something new; kept in the database from then on. */
function keep<Value>(db: Database, name: string, given: Value | undefined, make: () => Value): Value {
  const value = given ?? readSetting<Value>(db, name) ?? make()
  writeSetting(db, name, value)
  return value
}

const tables = [
  'webhook_deliveries',
  'webhook_targets',
  'checkouts',
  'subscriptions',
  'orders',
  'cards',
  'users',
  'tokens',
]

/** Everything as at the start, but for the credentials. */
export function resetState(state: State): void {
  state.db.transaction(() => {
    for (const table of tables) state.db.run(`delete from ${table}`)
    state.db.run("delete from settings where name in ('clockOffset', 'switches', 'limits')")
  })
  state.clock.set(state.start.clockOffset)
  state.limits = state.start.limits
  state.switches = defaultSwitches()
  state.faults.clear()
  state.requests.clear()
}

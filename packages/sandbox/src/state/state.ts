/** Everything one sandbox knows. Operations take it; there is no state anywhere else, so sandboxes live side by side. */
import { randomBytes } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { type Clock, createClock } from '../simulation/clock.ts'
import { createFaults, type Fault, type Faults } from '../simulation/faults.ts'
import { createRequestLog, type RequestLog } from '../simulation/requestLog.ts'
import { defaultSwitches, type Switches } from '../simulation/switches.ts'
import { type Database, openDatabase } from './database.ts'
import type { StateEvent } from './events.ts'
import type { CheckoutVisit } from './rows.ts'
import type { Seed } from './seed.ts'
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

export interface Snapshot {
  id: string
  /** Which of the copies of the tables is its own. */
  copy: number
  faults: Fault[]
}

export interface State {
  readonly db: Database
  readonly clock: Clock
  readonly credentials: Credentials
  /** The business's own id, in subscriptions as `business_user_id`. */
  readonly businessUserId: string
  /** Names of this sandbox besides this machine's own, as in `URL.hostname`. */
  readonly hostNames: readonly string[]
  readonly publicOrigin: string | undefined
  /** Hosts besides this machine that webhooks may go to. */
  readonly webhookHosts: readonly string[]
  readonly faults: Faults
  readonly requests: RequestLog
  /** Oldest first. */
  readonly snapshots: Snapshot[]
  /** A 26-character id (ULID): sorts by the time of the sandbox's clock, then by order of making. */
  readonly newId: () => string
  /** Payments that run now, by the visit they belong to. */
  readonly payments: Map<string, Promise<CheckoutVisit>>
  /** Aborts when the sandbox closes. */
  readonly closing: AbortSignal
  /** What a reset goes back to. */
  readonly start: Pick<StateOptions, 'limits' | 'clockOffset' | 'seed' | 'webhook'>
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
  /** What is not given is read from the file, or made. */
  credentials: Partial<Credentials>
  /** The limits at the start and after a reset (U18). */
  limits: LimitTable
  /** Milliseconds between the machine's clock and the sandbox's at the start and after a reset. */
  clockOffset: number
  seed: Seed
  /** A webhook target at the start and after a reset. */
  webhook: string | undefined
  /** Names of this sandbox besides this machine's own, as in `URL.hostname`. */
  hostNames: readonly string[]
  /** Where the API is for browsers, when that is not where it listens. */
  publicOrigin: string | undefined
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
    credentials: keepCredentials(db, options.credentials),
    businessUserId: keep(db, 'businessUserId', newId),
    hostNames: options.hostNames,
    publicOrigin: options.publicOrigin,
    webhookHosts: options.webhookHosts,
    faults: createFaults(),
    requests: createRequestLog(),
    snapshots: [],
    payments: new Map(),
    closing: options.closing,
    start: options,
    switches: { ...defaultSwitches(), ...readSetting<Partial<Switches>>(db, 'switches') },
    limits: readSetting(db, 'limits') ?? options.limits,
    announce: () => {},
    onWebhookQueued: () => {},
  }
}

function keepCredentials(db: Database, given: Partial<Credentials>): Credentials {
  const known = { ...(readSetting<Credentials>(db, 'credentials') ?? newCredentials()), ...given }
  writeSetting(db, 'credentials', known)
  return known
}

const newCredentials = (): Credentials => ({
  apiKey: `sandbox_api_key_${randomBytes(12).toString('hex')}`,
  secretKey: `sandbox_secret_key_${randomBytes(24).toString('hex')}`,
})

/** What the database has, else something new, kept from then on. */
function keep<Value>(db: Database, name: string, make: () => Value): Value {
  const value = readSetting<Value>(db, name) ?? make()
  writeSetting(db, name, value)
  return value
}

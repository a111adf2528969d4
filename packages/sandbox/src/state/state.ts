/** The whole state of one sandbox, which operations receive. There is no other state, so sandboxes can run side by side. */
import { randomBytes } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { type Clock, createClock, offsetTo } from '../simulation/clock.ts'
import { createFaults, type Fault, type Faults } from '../simulation/faults.ts'
import { createRequestLog, type RequestLog } from '../simulation/requestLog.ts'
import { defaultSwitches, type Switches } from '../simulation/switches.ts'
import { type Database, openDatabase, readSetting, writeSetting } from './database.ts'
import type { CheckoutVisit, OrderRow } from './rows.ts'

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
  /** Applies until `fkyc_status` is `success`. */
  low: LimitAmounts
  full: LimitAmounts
}

export interface Seed {
  /** Shoppers, by e-mail address; `fullKyc` gives them the higher limits. */
  users?: { email: string; fullKyc?: boolean | undefined }[] | undefined
  /** Orders, created one after the other. Default `card_number`: the test card that succeeds. */
  purchases?:
    | { email: string; card_number?: string | undefined; params?: Record<string, string> | undefined }[]
    | undefined
  /** Switches with a value other than the default. */
  switches?: Partial<Switches> | undefined
  /** Webhook targets. They receive later events, not those of the seed itself. */
  webhooks?: string[] | undefined
}

/** A change that the sandbox reports to the merchant by webhook. */
export type StateEvent =
  | { event: 'order.updated'; order: OrderRow }
  | {
      event: 'user.created' | 'user.updated' | 'subscription.updated'
      user_id: string
      order_id?: string
      custom_id?: string
      product_id?: string
      lkyc_status?: string
      fkyc_status?: string
      status?: number
    }

export interface Snapshot {
  id: string
  /** The index of its table copies. */
  copy: number
  faults: Fault[]
  /** Milliseconds between the system clock and the sandbox's. */
  clockOffset: number
}

export interface StateOptions {
  /** A file, or in memory. */
  db: string | undefined
  /** A key that is not given is read from the file, or created. */
  apiKey: string | undefined
  secretKey: string | undefined
  /** The limits at the start and after a reset (U18). */
  limits: LimitTable
  /** The sandbox's time at the start and after a reset. */
  startAt: Date | undefined
  seed: Seed
  /** A webhook target at the start and after a reset. */
  webhook: string | undefined
  /** Hosts besides localhost to which webhooks may be sent. */
  webhookHosts: readonly string[]
  /** Host names of this sandbox besides localhost, as in `URL.hostname`. */
  hostNames: readonly string[]
  /** The API's origin for browsers, when it differs from the listening address. */
  publicOrigin: string | undefined
  /** Aborts when the sandbox closes. */
  closing: AbortSignal
}

export interface State {
  readonly options: StateOptions
  readonly db: Database
  readonly clock: Clock
  readonly credentials: Credentials
  /** The business's own id, in subscriptions as `business_user_id`. */
  readonly businessUserId: string
  readonly faults: Faults
  readonly requests: RequestLog
  /** Oldest first. */
  readonly snapshots: Snapshot[]
  /** Creates a 26-character id (ULID), which sorts by the sandbox's clock, then by order of creation. */
  readonly newId: () => string
  /** Payments in progress, keyed by visit. */
  readonly payments: Map<string, Promise<CheckoutVisit>>
  switches: Switches
  limits: LimitTable
  /** Called for each change that is reported to the merchant, inside the transaction that makes it. */
  announce: (event: StateEvent) => void
  /** Called for each webhook that is written, inside the same transaction. */
  onWebhookQueued: (deliveryId: string) => void
}

/** Opens the state; a database file restores everything except faults and the request log. */
export function openState(options: StateOptions): State {
  const db = openDatabase(options.db)
  const nextId = monotonicFactory()
  const clock = createClock(readSetting(db, 'clockOffset') ?? offsetTo(options.startAt))
  const newId = (): string => nextId(clock.now())
  return {
    options,
    db,
    clock,
    newId,
    credentials: keepCredentials(db, options),
    businessUserId: keepBusinessId(db, newId),
    faults: createFaults(),
    requests: createRequestLog(),
    snapshots: [],
    payments: new Map(),
    switches: { ...defaultSwitches(), ...readSetting<Partial<Switches>>(db, 'switches') },
    limits: readSetting(db, 'limits') ?? options.limits,
    announce: () => {},
    onWebhookQueued: () => {},
  }
}

/** Uses the given keys, else those in the database, else new ones, and stores them. */
function keepCredentials(db: Database, { apiKey, secretKey }: StateOptions): Credentials {
  const kept = readSetting<Credentials>(db, 'credentials')
  const credentials = {
    apiKey: apiKey ?? kept?.apiKey ?? `sandbox_api_key_${randomBytes(12).toString('hex')}`,
    secretKey: secretKey ?? kept?.secretKey ?? `sandbox_secret_key_${randomBytes(24).toString('hex')}`,
  }
  writeSetting(db, 'credentials', credentials)
  return credentials
}

function keepBusinessId(db: Database, newId: () => string): string {
  const id = readSetting<string>(db, 'businessUserId') ?? newId()
  writeSetting(db, 'businessUserId', id)
  return id
}

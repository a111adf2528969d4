/** A typed client for the control plane of a sandbox, whether a test starts it or it runs elsewhere. */
import type { ConsoleUser } from '../control/state.ts'
import type { Delivery } from '../control/webhooks.ts'
import { createSandbox, type Sandbox } from '../createSandbox.ts'
import type { SandboxOptions } from '../options.ts'
import type { OrderRecord } from '../service/orderRecord.ts'
import type { Fault, FaultOptions } from '../simulation/faults.ts'
import type { LoggedRequest } from '../simulation/requestLog.ts'
import type { Switches, SwitchReading } from '../simulation/switches.ts'
import type { TargetRow } from '../state/rows.ts'
import type { LimitTable } from '../state/state.ts'

const seconds = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 } as const
type Unit = keyof typeof seconds

/** `90 seconds`, `1 day`, `2.5 hours`. */
export type Duration = `${number} ${Unit}` | `${number} ${Unit}s`

/** Every call rejects with an Error that states the sandbox's refusal. */
export interface SandboxControl {
  clock: {
    now(): Promise<Date>
    /** Advances the clock; tokens expire and subscriptions renew accordingly. Returns the new time. */
    advance(duration: Duration): Promise<Date>
    advanceTo(time: Date): Promise<Date>
  }
  faults: {
    /** Injects a fault, which lasts until `count` or `forMs` is used up or it is removed. */
    set(fault: FaultOptions): Promise<Fault>
    list(): Promise<Fault[]>
    remove(id: number): Promise<void>
    clear(): Promise<void>
  }
  switches: {
    set(changes: Partial<Switches>): Promise<void>
    list(): Promise<SwitchReading[]>
  }
  limits: {
    get(): Promise<LimitTable>
    set(limits: LimitTable): Promise<void>
  }
  webhooks: {
    /** Adds a webhook target. */
    add(url: string): Promise<TargetRow>
    remove(id: string): Promise<void>
    /** Removes all webhook targets. */
    clear(): Promise<void>
    /** The newest 200, newest first. */
    deliveries(): Promise<Delivery[]>
    redeliver(id: string): Promise<Delivery>
    /** Sends any JSON as if it were a webhook: to `url`, else to every target. */
    forge(payload: unknown, url?: string): Promise<Delivery[]>
  }
  requests: {
    /** The last thousand requests, newest first, secrets masked. */
    list(): Promise<LoggedRequest[]>
    clear(): Promise<void>
  }
  /**
   * Saves the whole state except keys and tokens, which a restore leaves alone; returns the id for `restore`. The newest 8 are kept
   * in memory, and survive a reset.
   */
  snapshot(): Promise<string>
  /** Restores a snapshot, any number of times, and clears the request log. Payments in progress at the snapshot have failed. */
  restore(snapshot: string): Promise<void>
  /** All orders, newest first. */
  orders(): Promise<OrderRecord[]>
  /** The newest order of a purchase, found by this id in a return address or as its `custom_id`. */
  orderOf(purchaseId: string): Promise<OrderRecord | undefined>
  /** The newest 100 users. */
  users(): Promise<ConsoleUser[]>
  /** Makes a whole purchase without a browser. A declined card results in a failed order. */
  buy(purchase?: {
    email?: string
    card_number?: string
    accessToken?: string
    /** Query parameters of the widget page. */
    params?: Record<string, string>
  }): Promise<OrderRecord>
}

/** @param controlUrl As in `sandbox.urls.controlUrl`, and in the output of `--json`. */
export function createControl(controlUrl: string): SandboxControl {
  // The responses have the types of the schemas with which the same version of the sandbox validates and documents.
  async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${controlUrl}/${path}`, {
      method,
      headers: {
        // The sandbox may close a keep-alive connection at the moment of its reuse.
        connection: 'close',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${messageOf(answer)}`)
    return answer as Answer
  }
  const get = <Answer>(path: string): Promise<Answer> => call('GET', path)
  const done = async (method: string, path: string, body?: unknown): Promise<void> => {
    await call(method, path, body)
  }
  const timeOf = async (reading: Promise<{ now: string }>): Promise<Date> => new Date((await reading).now)
  const ordersOf = (purchaseId: string): Promise<OrderRecord[]> =>
    get(`orders?${new URLSearchParams({ purchase_id: purchaseId })}`)

  return {
    clock: {
      now: () => timeOf(get('clock')),
      advance: async (duration) => timeOf(call('POST', 'clock', { advanceSeconds: secondsOf(duration) })),
      advanceTo: (time) => timeOf(call('POST', 'clock', { now: time.toISOString() })),
    },
    faults: {
      set: (fault) => call('POST', 'faults', fault),
      list: () => get('faults'),
      remove: (id) => done('DELETE', `faults/${id}`),
      clear: () => done('DELETE', 'faults'),
    },
    switches: {
      set: (changes) => done('PATCH', 'switches', changes),
      list: () => get('switches'),
    },
    limits: {
      get: () => get('limits'),
      set: (limits) => done('PUT', 'limits', limits),
    },
    webhooks: {
      add: (url) => call('POST', 'webhooks', { url }),
      remove: (id) => done('DELETE', `webhooks/${id}`),
      async clear() {
        const { targets } = await get<{ targets: TargetRow[] }>('webhooks')
        for (const { id } of targets) await done('DELETE', `webhooks/${id}`)
      },
      deliveries: async () => (await get<{ deliveries: Delivery[] }>('webhooks')).deliveries,
      redeliver: (id) => call('POST', `webhooks/deliveries/${id}/redeliver`),
      forge: (payload, url) => call('POST', 'webhooks/forge', { payload, ...(url && { url }) }),
    },
    requests: {
      list: () => get('requests'),
      clear: () => done('DELETE', 'requests'),
    },
    snapshot: async () => (await call<{ id: string }>('POST', 'snapshots')).id,
    restore: (snapshot) => done('POST', `snapshots/${encodeURIComponent(snapshot)}/restore`),
    orders: () => get('orders'),
    orderOf: async (purchaseId) => (await ordersOf(purchaseId))[0],
    users: async () => (await get<{ users: ConsoleUser[] }>('state')).users,
    buy: (purchase = {}) => call('POST', 'purchases', purchase),
  }
}

const messageOf = (answer: unknown): string =>
  typeof answer === 'object' && answer !== null && 'message' in answer
    ? String(answer.message)
    : JSON.stringify(answer)

const isUnit = (name: string): name is Unit => Object.hasOwn(seconds, name)

/** @throws TypeError for an invalid duration. */
function secondsOf(duration: Duration): number {
  const [amount = '', name = '', ...more] = duration.split(' ')
  const unit = name.replace(/s$/, '')
  const count = Number(amount)
  if (!isUnit(unit) || amount === '' || more.length > 0 || !(count >= 0))
    throw new TypeError(`"${duration}" is not a duration; write it as in "31 days" or "90 seconds".`)
  return count * seconds[unit]
}

export type TestSandbox = Sandbox & SandboxControl

/**
 * Starts a sandbox on free ports; the result includes `clock`, `faults`, `switches`, `orderOf` and the rest of the control client.
 *
 * @throws Error as `createSandbox` does.
 */
export async function startTestSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = await createSandbox(options)
  return { ...sandbox, ...createControl(sandbox.urls.controlUrl) }
}

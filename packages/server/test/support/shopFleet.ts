/** Instances of a merchant's server, as processes that are killed, deployed and restarted, and the actions of shoppers and the service. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Order, PurchaseClientOptions, TokenGrant } from '../../src/index.ts'
import type { StoreOf } from '../stores/storeProcess.ts'
import type { Service } from './service.ts'
import { openShelf, type Shelf } from './shelf.ts'

export const moments = [
  'before onOrder',
  'before the record',
  'after the record',
  'in onOrder',
  'after onOrder',
  'after the job',
] as const

export type Moment = (typeof moments)[number]

/** The settings of a process at its start. */
export interface ShopSettings {
  client: PurchaseClientOptions
  database: StoreOf
  /** Whether `onOrder` calls `complete()`. */
  completes: boolean
  /** Where this process kills itself, at the last of this many times. */
  dies?: { at: Moment; times: number }
  onOrderTimeout?: number
  /** The part of the waits between attempts that is waited: a day of them is too long for a test. */
  waits?: number
}

/** Bytes after a garbage collection, and seconds of a core since the start. */
export interface Usage {
  heapUsed: number
  rss: number
  cpu: number
}

/** An error, and the attempt at an order that it ended. */
interface Failure {
  error: string
  orderId: string
  attempt: number
}

export type ShopMessage = { port: number } | Failure | { usage: Usage }

export interface ShopFleet {
  /** The shelf for their deliveries. */
  shelf: Shelf
  /** The address of an instance that was open just before. */
  url(): string
  /** How often processes were killed, by moment. */
  readonly deaths: Map<Moment | 'any', number>
  /** How often an instance was closed and restarted. */
  deploys(): number
  readonly errors: Map<string, number>
  /** The reported attempts at each order. */
  readonly failed: Map<string, Set<number>>
  /** SIGKILL for one of them, at a random moment. */
  killOne(): Promise<void>
  /** SIGTERM for one of them; resolves when it has ended. */
  deployOne(): Promise<void>
  /** From now on no process kills itself. Each instance is restarted. */
  calm(): Promise<void>
  /** Continues an instance that has stopped itself. */
  thaw(): void
  /** For each open instance. */
  usage(): Promise<Usage[]>
  close(): Promise<void>
}

const worker = fileURLToPath(new URL('./shopWorker.ts', import.meta.url))

interface Instance {
  child: ChildProcess
  url: string
}

export async function openShopFleet(
  size: number,
  settings: ShopSettings,
  timesAtMost = 0,
): Promise<ShopFleet> {
  const slots: (Instance | null)[] = Array.from({ length: size }, () => null)
  const deaths = new Map<Moment | 'any', number>()
  const errors = new Map<string, number>()
  const failed = new Map<string, Set<number>>()
  /** Those that the test ended, as opposed to by themselves. */
  const killed = new WeakSet<ChildProcess>()
  let starts = 0
  let deploys = 0
  let state: 'wild' | 'calm' | 'closed' = timesAtMost > 0 ? 'wild' : 'calm'

  const count = <Key>(map: Map<Key, number>, key: Key): void => void map.set(key, (map.get(key) ?? 0) + 1)

  async function start(slot: number): Promise<void> {
    // Another death may come first, so a moment stays in turn until it has come as often as the others.
    const rarest = moments.toSorted((one, other) => (deaths.get(one) ?? 0) - (deaths.get(other) ?? 0))
    const at = rarest[starts++ % Math.min(size, moments.length)]
    const times = 1 + Math.floor(Math.random() * timesAtMost)
    const dies = state === 'wild' && at ? { at, times } : undefined
    const child = fork(worker, [JSON.stringify({ ...settings, ...(dies ? { dies } : {}) })], {
      execArgv: ['--disable-warning=ExperimentalWarning', '--expose-gc'],
    })
    child.once('exit', (_, signal) => {
      slots[slot] = null
      if (signal === 'SIGKILL') count(deaths, killed.has(child) || !dies ? 'any' : dies.at)
      if (state !== 'closed') void start(slot)
    })
    child.on('message', (message: ShopMessage) => {
      if ('error' in message) {
        count(errors, message.error.replaceAll(/[0-9a-f-]{36}/g, '…'))
        const attempts = failed.get(message.orderId) ?? new Set()
        failed.set(message.orderId, attempts.add(message.attempt))
      }
      if ('port' in message) {
        const url = `http://127.0.0.1:${message.port}`
        slots[slot] = { child, url }
        // Like a health check: an idle process does not know that there is work.
        fetch(`${url}/orders`, { headers: { cookie: 'shopper=health' } }).catch(() => {})
      }
    })
  }

  const open = (): Instance[] => slots.filter((slot) => slot !== null)
  const any = <T>(items: readonly T[]): T | undefined => items[Math.floor(Math.random() * items.length)]

  async function allOpen(): Promise<void> {
    while (open().length < size) await sleep(20)
  }

  async function end(instance: Instance, signal: NodeJS.Signals): Promise<void> {
    const { child } = instance
    killed.add(child)
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  for (let slot = 0; slot < size; slot++) void start(slot)
  await allOpen()
  const shelf = await openShelf(settings.database)

  return {
    shelf,
    url: () => any(open())?.url ?? 'http://127.0.0.1:1',
    deaths,
    errors,
    failed,
    deploys: () => deploys,
    async killOne() {
      const one = any(open())
      if (one) await end(one, 'SIGKILL')
    },
    async deployOne() {
      const one = any(open())
      if (!one) return
      await end(one, 'SIGTERM')
      deploys++
    },
    async calm() {
      state = 'calm'
      await allOpen()
      for (const one of open()) await end(one, 'SIGTERM')
      await allOpen()
    },
    thaw() {
      for (const { child } of open()) child.kill('SIGCONT')
    },
    usage: () =>
      Promise.all(
        open().map(async ({ child }) => {
          const answered = new Promise<Usage>((resolve) => {
            child.on('message', function read(message: ShopMessage) {
              if (!('usage' in message)) return
              child.off('message', read)
              resolve(message.usage)
            })
          })
          child.send('usage')
          return answered
        }),
      ),
    async close() {
      state = 'closed'
      await Promise.all(open().map((one) => end(one, 'SIGKILL')))
      await shelf.close()
    },
  }
}

/** A shopper creates a purchase at any open instance, and pays. */
export async function buyAt(
  fleet: ShopFleet,
  service: Service,
  shopper: string,
): Promise<{ purchaseId: string; order: Order }> {
  for (;;) {
    const answer = await fetch(`${fleet.url()}/token`, {
      method: 'POST',
      body: '{}',
      headers: {
        cookie: `shopper=${shopper}`,
        'content-type': 'application/json',
        origin: 'https://shop.example',
      },
    }).catch(() => null)
    const grant = answer?.ok ? ((await answer.json().catch(() => null)) as TokenGrant | null) : null
    if (grant) return { purchaseId: grant.purchaseId, order: await service.buy(grant.params) }
    await sleep(50)
  }
}

/** Returns the status; 0 without an answer. */
export async function sendWebhook(fleet: ShopFleet, path: string, orderId: string): Promise<number> {
  const answer = await fetch(fleet.url() + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { order_id: orderId } }),
  }).catch(() => null)
  await answer?.body?.cancel().catch(() => {})
  return answer?.status ?? 0
}

/** Like the service: repeated until it is acknowledged. */
export async function sendUntilAcknowledged(fleet: ShopFleet, path: string, orderId: string): Promise<void> {
  while ((await sendWebhook(fleet, path, orderId)) !== 202) await sleep(50)
}

/** The two queues: of those that are trusted, and of what is only read: hints of unauthenticated callers, and unpaid orders that were found in lists. */

import type { Order, OrderRecord } from '../client/wire.ts'
import type { ErrorContext } from '../errors.ts'
import { createExpiringMap } from '../expiringMap.ts'
import { likelyPaidFirst, PAID } from '../purchase/readOrders.ts'
import { type Priority, readingAs } from '../reads/turns.ts'
import type { QueueName, Store } from '../stores/store.ts'
import { createDelivery, type DeliverOptions } from './deliver.ts'
import { createQueue } from './queue.ts'
import { keyOf, type Seen, seen } from './webhook.ts'

interface QueuesOptions extends Omit<DeliverOptions, 'onBegun' | 'onSkipped'> {
  store: DeliverOptions['store'] & Pick<Store, 'jobs'>
  readAllOf: (customId: string) => Promise<readonly Order[]>
  onError: (error: unknown, context?: ErrorContext) => void
}

export interface Queues {
  /** What `Fulfilment.addJobs` says. */
  addAll(orders: readonly OrderRecord[]): Promise<void>
  /** Has one queue, or both, look for jobs that are due. */
  wake(queue?: QueueName): void
  /** Resolves when nothing that is due is left to do here, in the unauthenticated one too if that is named. */
  idle(queue?: QueueName): Promise<void>
  /** Takes no new work, and resolves when what runs has ended. */
  close(): Promise<void>
}

const WORKERS = 16
/** Two at a time, each at most every 400 ms: what is looked up here costs at most five reads of the service a second. */
const UNAUTHENTICATED = { workers: 2, paceMs: 400 }

/** Orders of one list that jobs are added for, and that are checked for it. */
const MOST_ADDED = 20
const MOST_CHECKED = 100
/** After so long a poll counts again. The job's own retries go on meanwhile. */
const REMEMBERED = { max: 10_000, ttlMs: 600_000 }

export function createQueues(options: QueuesOptions): Queues {
  const { store, read, readAllOf, onError } = options
  const { jobs } = store
  const found = createFoundOrders(store)
  const deliver = createDelivery({ ...options, onBegun: found.noteBegun, onSkipped: found.skip })

  async function addAll(orders: readonly OrderRecord[], isNamed = false): Promise<void> {
    await found.addAll(orders, isNamed)
    wake()
  }

  async function addAllOf(customId: string, isNamed: boolean): Promise<boolean> {
    const orders = await readAllOf(customId)
    await addAll(orders, isNamed)
    return orders.length > 0
  }

  /** Passes on an order that there is, to be delivered. */
  async function promote({ order_id, listed }: Seen): Promise<boolean> {
    const order = await read(order_id)
    if (!order) return false
    await found.promote(order, listed === true)
    wake('trusted')
    return true
  }

  const trusted = createQueue({
    ...{ name: 'trusted', jobs, workers: WORKERS, paceMs: 0, onError },
    handle: (hint) =>
      readingFor('listed' in hint ? 'fulfilment' : 'webhook', () =>
        'order_id' in hint ? deliver(hint) : addAllOf(hint.custom_id, true),
      ),
  })
  const unauthenticated = createQueue({
    ...{ name: 'unauthenticated', jobs, ...UNAUTHENTICATED, onError },
    handle: (hint) =>
      readingFor('background', () => ('order_id' in hint ? promote(hint) : addAllOf(hint.custom_id, false))),
  })

  function wake(queue?: QueueName): void {
    if (queue !== 'unauthenticated') trusted.wake()
    if (queue !== 'trusted') unauthenticated.wake()
  }

  return {
    addAll,
    wake,
    async idle(queue = 'trusted') {
      if (queue === 'unauthenticated') await unauthenticated.idle()
      await trusted.idle()
    },
    async close() {
      await Promise.all([trusted.close(), unauthenticated.close()])
    },
  }
}

/** A job is nobody's request, whichever request has woken its queue. */
const readingFor = <T>(priority: Priority, task: () => T): T => readingAs({ priority, network: '' }, task)

/** Which orders become jobs, of those that were found: in a list, or behind the hint of somebody who is not trusted. */
function createFoundOrders({ jobs, handled }: Pick<Store, 'jobs' | 'handled'>) {
  /** The states of orders that `onOrder` is called for, by id: a poll need not add them again. */
  const begun = createExpiringMap<string>(REMEMBERED)
  /** The states of listed orders that no purchase is on. */
  const skipped = createExpiringMap<string>(REMEMBERED)

  const isDone = async (id: string, type: string): Promise<boolean> =>
    begun.get(id) === type || (await handled.has(id, type))

  return {
    /** @param isNamed whether a webhook with the key has named the shopper: then orders of no purchase are delivered too. */
    async addAll(orders: readonly OrderRecord[], isNamed: boolean): Promise<void> {
      let added = 0
      for (const { id, type } of likelyPaidFirst(orders).slice(0, MOST_CHECKED)) {
        if (added === MOST_ADDED) return
        if (id === undefined) continue
        const isSkipped = !isNamed && type !== undefined && skipped.get(id) === type
        if (isSkipped || (type !== undefined && (await isDone(id, type)))) continue
        await jobs.add(keyOf(seen(id, type, !isNamed)), type === PAID ? 'trusted' : 'unauthenticated')
        added++
      }
    },
    async promote({ id, type }: Order, isListed: boolean): Promise<void> {
      if (!(await isDone(id, type))) await jobs.add(keyOf(seen(id, type, isListed)), 'trusted')
    },
    noteBegun: ({ id, type }: Order): void => void begun.set(id, type),
    skip: ({ id, type }: Order): void => void skipped.set(id, type),
  }
}

/** The two queues: of those that are trusted, and of what is only read: hints of unauthenticated callers, and unpaid orders that were found in lists. */

import type { Order } from '../client/wire.ts'
import type { ErrorContext } from '../errors.ts'
import { type Priority, readingAs } from '../reads/reader.ts'
import type { QueueName, Store } from '../stores/store.ts'
import { createDelivery, type DeliverOptions } from './deliver.ts'
import type { FoundOrders } from './foundOrders.ts'
import { createQueue } from './queue.ts'

interface QueuesOptions extends DeliverOptions {
  store: DeliverOptions['store'] & Pick<Store, 'jobs'>
  readAllOf: (customId: string) => Promise<readonly Order[]>
  found: Pick<FoundOrders, 'addAll' | 'promote'>
  onError: (error: unknown, context?: ErrorContext) => void
}

export interface Queues {
  /** Has one queue, or both, look for jobs that are due. */
  wake(queue?: QueueName): void
  /** Resolves when nothing that is due is left to do here, in the unauthenticated one too if that is named. */
  idle(queue?: QueueName): Promise<void>
  /** Takes no new work, and resolves when what runs has ended. */
  close(): Promise<void>
}

const WORKERS = 16
/** Two at a time, each at most every 400 ms: what is looked up here costs at most five reads of the service a second. */
const UNAUTHENTICATED_WORKERS = 2
const UNAUTHENTICATED_PACE_MS = 400

export function createQueues(options: QueuesOptions): Queues {
  const { store, read, readAllOf, found, onError } = options
  const deliver = createDelivery(options)
  const common = { jobs: store.jobs, onError }

  async function addAllOf(customId: string, isNamed: boolean): Promise<boolean> {
    const orders = await readAllOf(customId)
    await found.addAll(orders, isNamed)
    wake()
    return orders.length > 0
  }

  const trusted = createQueue({
    ...common,
    name: 'trusted',
    workers: WORKERS,
    paceMs: 0,
    handle: (hint) =>
      readingFor('listed' in hint ? 'fulfilment' : 'webhook', () =>
        'order_id' in hint ? deliver(hint) : addAllOf(hint.custom_id, true),
      ),
  })
  const unauthenticated = createQueue({
    ...common,
    name: 'unauthenticated',
    workers: UNAUTHENTICATED_WORKERS,
    paceMs: UNAUTHENTICATED_PACE_MS,
    handle: (hint) =>
      readingFor('background', async () => {
        if (!('order_id' in hint)) return addAllOf(hint.custom_id, false)
        const order = await read(hint.order_id)
        if (!order) return false
        await found.promote(order, 'listed' in hint)
        trusted.wake()
        return true
      }),
  })

  function wake(queue?: QueueName): void {
    if (queue !== 'unauthenticated') trusted.wake()
    if (queue !== 'trusted') unauthenticated.wake()
  }

  return {
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
const readingFor = <T>(priority: Priority, task: () => T): T =>
  readingAs({ priority, network: '', shopper: '' }, task)

/** The two lanes: of those that are trusted, and of strangers, whose hints are only looked up. */
import type { Order } from '../client/wire.ts'
import type { Lane, Store } from '../stores/store.ts'
import { createDelivery, type DeliverOptions } from './deliver.ts'
import { createLane } from './lane.ts'

interface LanesOptions extends DeliverOptions {
  store: DeliverOptions['store'] & Pick<Store, 'jobs'>
  readAllOf: (customId: string) => Promise<readonly Order[]>
  addJobs: (orders: readonly Order[]) => Promise<void>
  onError: (error: unknown) => void
}

export interface Lanes {
  /** Has one lane, or both, look for jobs that are due. */
  wake(lane?: Lane): void
  /** Resolves when nothing that is due is left to do here, in the lane of strangers too if that is named. */
  idle(lane?: Lane): Promise<void>
  /** Takes no new work, and resolves when what runs has ended. */
  close(): Promise<void>
}

const WORKERS = 16
/** Two at a time, each at most every 400 ms: strangers cost at most five reads of the service a second. */
const STRANGER_WORKERS = 2
const STRANGER_PACE_MS = 400

export function createLanes(options: LanesOptions): Lanes {
  const { store, read, readAllOf, addJobs, onError } = options
  const deliver = createDelivery(options)
  const common = { jobs: store.jobs, onError }

  async function addAllOf(customId: string): Promise<boolean> {
    const orders = await readAllOf(customId)
    await addJobs(orders)
    return orders.length > 0
  }

  const trusted = createLane({
    ...common,
    name: 'trusted',
    workers: WORKERS,
    paceMs: 0,
    handle: (hint) => ('order_id' in hint ? deliver(hint) : addAllOf(hint.custom_id)),
  })
  const stranger = createLane({
    ...common,
    name: 'stranger',
    workers: STRANGER_WORKERS,
    paceMs: STRANGER_PACE_MS,
    handle: async (hint) => {
      if (!('order_id' in hint)) return addAllOf(hint.custom_id)
      const order = await read(hint.order_id)
      if (order) await addJobs([order])
      return order !== null
    },
  })

  return {
    wake(lane) {
      if (lane !== 'stranger') trusted.wake()
      if (lane !== 'trusted') stranger.wake()
    },
    async idle(lane = 'trusted') {
      if (lane === 'stranger') await stranger.idle()
      await trusted.idle()
    },
    async close() {
      await Promise.all([trusted.close(), stranger.close()])
    },
  }
}

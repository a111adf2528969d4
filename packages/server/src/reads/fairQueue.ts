/** A bounded queue that serves network addresses in turn, and the shoppers of each address in turn. */

/** Whoever waits. */
export interface Waiter {
  readonly network: string
  readonly shopper: string
}

export interface FairQueue<Item extends Waiter> {
  /** False when the queue, or the item's network, has no room. */
  add(item: Item): boolean
  /** Takes the next item. */
  next(): Item | undefined
  /** Takes out one that no longer waits. */
  remove(item: Item): void
  readonly size: number
}

export interface FairQueueLimits {
  perNetwork: number
  total: number
}

export function createFairQueue<Item extends Waiter>({
  perNetwork,
  total,
}: FairQueueLimits): FairQueue<Item> {
  /** Both maps are in the order of turns: who was served goes to the end. */
  const networks = new Map<string, Map<string, Item[]>>()
  let size = 0

  const sizeOf = (shoppers: Map<string, Item[]>): number =>
    [...shoppers.values()].reduce((sum, items) => sum + items.length, 0)

  return {
    get size() {
      return size
    },
    add(item) {
      const shoppers = networks.get(item.network) ?? new Map<string, Item[]>()
      if (size >= total || sizeOf(shoppers) >= perNetwork) return false
      networks.set(item.network, shoppers)
      shoppers.set(item.shopper, [...(shoppers.get(item.shopper) ?? []), item])
      size++
      return true
    },
    next() {
      const [network] = networks
      if (!network) return undefined
      const [shopper] = network[1]
      const item = shopper?.[1].shift()
      size--
      toTheEnd(network[1], shopper, ([, items]) => items.length > 0)
      toTheEnd(networks, network, ([, shoppers]) => shoppers.size > 0)
      return item
    },
    remove(item) {
      const shoppers = networks.get(item.network)
      const items = shoppers?.get(item.shopper)
      if (!shoppers || !items?.includes(item)) return
      size--
      const others = items.filter((one) => one !== item)
      if (others.length > 0) shoppers.set(item.shopper, others)
      else shoppers.delete(item.shopper)
      if (shoppers.size === 0) networks.delete(item.network)
    },
  }
}

/** Moves an entry behind all others, or takes it out when nothing of it waits any more. */
function toTheEnd<Value>(
  map: Map<string, Value>,
  entry: [string, Value] | undefined,
  stays: (entry: [string, Value]) => boolean,
): void {
  if (!entry) return
  map.delete(entry[0])
  if (stays(entry)) map.set(...entry)
}

/** Who waits for a read, and who of them is next. */
import type { Priority, Reader } from './reader.ts'

export interface Waiting<Entry extends Reader> {
  /** False when there is no room. */
  add(entry: Entry): boolean
  remove(entry: Entry): void
  /** Takes whoever is next. */
  next(): Entry | undefined
  isEmpty(): boolean
}

const urgent: readonly Priority[] = ['webhook', 'fulfilment']
const others: readonly Priority[] = ['returned', 'shopper', 'background']
/** Who is first in each turn of the others: nobody waits for ever behind those before them. */
const cycle: readonly Priority[] = ['returned', 'shopper', 'returned', 'shopper', 'returned', 'background']
/** Of what is urgent, before the others have one. */
const URGENT_TURNS = 4

export const isUrgent = ({ priority }: Reader): boolean => urgent.includes(priority)

/** @param mostPerNetwork of shoppers; fulfilment and the background are bounded by their own workers. */
export function createWaiting<Entry extends Reader>(mostPerNetwork: number, most: number): Waiting<Entry> {
  const queues: Readonly<Record<Priority, FairQueue<Entry>>> = {
    webhook: new FairQueue(),
    fulfilment: new FairQueue(),
    returned: new FairQueue(mostPerNetwork, most),
    shopper: new FairQueue(mostPerNetwork, most),
    background: new FairQueue(),
  }
  let urgentTurns = 0
  let otherTurns = 0

  const isWaiting = (priority: Priority): boolean => queues[priority].size > 0

  function firstOf(priorities: readonly Priority[]): Entry | undefined {
    const priority = priorities.find(isWaiting)
    return priority && queues[priority].next()
  }

  return {
    add: (entry) => queues[entry.priority].add(entry),
    remove: (entry) => queues[entry.priority].remove(entry),
    next() {
      const isOthersTurn = urgentTurns >= URGENT_TURNS && others.some(isWaiting)
      if (urgent.some(isWaiting) && !isOthersTurn) {
        urgentTurns++
        return firstOf(urgent)
      }
      urgentTurns = 0
      const first = cycle[otherTurns++ % cycle.length]
      return firstOf(first ? [first, ...others] : others)
    },
    isEmpty: () => ![...urgent, ...others].some(isWaiting),
  }
}

/** Networks have turns in turn, and the shoppers of each. */
class FairQueue<Item extends Pick<Reader, 'network' | 'shopper'>> {
  /** Both maps are in the order of turns: who was served goes to the end. */
  readonly #networks = new Map<string, Map<string, Item[]>>()
  readonly #perNetwork: number
  readonly #total: number
  size = 0

  constructor(perNetwork = Number.POSITIVE_INFINITY, total = Number.POSITIVE_INFINITY) {
    this.#perNetwork = perNetwork
    this.#total = total
  }

  /** False when the queue, or the item's network, has no room. */
  add(item: Item): boolean {
    const shoppers = this.#networks.get(item.network) ?? new Map<string, Item[]>()
    const ofNetwork = [...shoppers.values()].reduce((sum, items) => sum + items.length, 0)
    if (this.size >= this.#total || ofNetwork >= this.#perNetwork) return false
    this.#networks.set(item.network, shoppers)
    shoppers.set(item.shopper, [...(shoppers.get(item.shopper) ?? []), item])
    this.size++
    return true
  }

  next(): Item | undefined {
    const [network] = this.#networks
    if (!network) return undefined
    const [shopper] = network[1]
    const item = shopper?.[1].shift()
    this.size--
    toTheEnd(network[1], shopper, ([, items]) => items.length > 0)
    toTheEnd(this.#networks, network, ([, shoppers]) => shoppers.size > 0)
    return item
  }

  /** Takes out one that no longer waits. */
  remove(item: Item): void {
    const shoppers = this.#networks.get(item.network)
    const items = shoppers?.get(item.shopper)
    if (!shoppers || !items?.includes(item)) return
    this.size--
    const others = items.filter((one) => one !== item)
    if (others.length > 0) shoppers.set(item.shopper, others)
    else shoppers.delete(item.shopper)
    if (shoppers.size === 0) this.#networks.delete(item.network)
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

/** Who waits for a read, and who of them is next. */
import { createFairQueue, type FairQueue } from './fairQueue.ts'
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
  const limits = { perNetwork: mostPerNetwork, total: most }
  const unlimited = { perNetwork: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY }
  const queues: Readonly<Record<Priority, FairQueue<Entry>>> = {
    webhook: createFairQueue(unlimited),
    fulfilment: createFairQueue(unlimited),
    returned: createFairQueue(limits),
    shopper: createFairQueue(limits),
    background: createFairQueue(unlimited),
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

/** A binary heap whose entries can move or leave in logarithmic time, because each knows its place. */

export interface HeapEntry {
  /** The smallest is on top; of equal ones the one with the smaller `order`. */
  rank: number
  order: number
  /** Where it stands in the heap; the heap's to write. */
  place: number
}

export interface Heap<Entry extends HeapEntry> {
  top(): Entry | undefined
  push(entry: Entry): void
  /** Puts an entry of this heap where it belongs after its rank has changed. */
  moved(entry: Entry): void
  remove(entry: Entry): void
}

export function createHeap<Entry extends HeapEntry>(): Heap<Entry> {
  const entries: Entry[] = []

  function put(entry: Entry, place: number): void {
    entries[place] = entry
    entry.place = place
  }

  function rise(entry: Entry): void {
    while (entry.place > 0) {
      const above = (entry.place - 1) >> 1
      const parent = entries[above]
      if (!parent || !isBefore(entry, parent)) return
      put(parent, entry.place)
      put(entry, above)
    }
  }

  function sink(entry: Entry): void {
    for (;;) {
      const [left, right] = [entries[2 * entry.place + 1], entries[2 * entry.place + 2]]
      const child = left && right && isBefore(right, left) ? right : left
      if (!child || !isBefore(child, entry)) return
      const below = child.place
      put(child, entry.place)
      put(entry, below)
    }
  }

  function moved(entry: Entry): void {
    rise(entry)
    sink(entry)
  }

  return {
    top: () => entries[0],
    push(entry) {
      put(entry, entries.length)
      rise(entry)
    },
    moved,
    remove(entry) {
      const last = entries.pop()
      if (!last || last === entry) return
      put(last, entry.place)
      moved(last)
    },
  }
}

const isBefore = (one: HeapEntry, other: HeapEntry): boolean =>
  one.rank === other.rank ? one.order < other.order : one.rank < other.rank

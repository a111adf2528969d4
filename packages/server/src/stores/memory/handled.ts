/** Which states of which orders were handled, as long as this process lives. */
import type { Handled } from '../store.ts'

export function memoryHandled(): Handled {
  const marks = new Set<string>()
  const markOf = (orderId: string, type: string): string => JSON.stringify([orderId, type])
  return {
    async has(orderId, type) {
      return marks.has(markOf(orderId, type))
    },
    async add(orderId, type) {
      const mark = markOf(orderId, type)
      const isNew = !marks.has(mark)
      marks.add(mark)
      return isNew
    },
  }
}

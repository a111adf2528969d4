/** Dead letters in memory, oldest first. */
import { DEAD_LETTERS, type DeadLetter } from '../store.ts'

export interface DeadLetters {
  add(letter: DeadLetter): void
  /** Newest first. */
  list(limit: number): DeadLetter[]
  /** Removes one by its key, or all. Gives their keys. */
  take(key: string | undefined): string[]
}

export function memoryDeadLetters(): DeadLetters {
  const letters = new Map<string, DeadLetter>()
  return {
    add(letter) {
      letters.delete(letter.key)
      letters.set(letter.key, letter)
      const [oldest] = letters.keys()
      if (letters.size > DEAD_LETTERS && oldest !== undefined) letters.delete(oldest)
    },
    list: (limit) => [...letters.values()].reverse().slice(0, limit),
    take: (key) => [...letters.keys()].filter((one) => (key ?? one) === one && letters.delete(one)),
  }
}

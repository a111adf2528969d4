/** A bench gives rows for a table: a contestant's name and its figures. */
export interface Bench {
  /** What is measured, in which unit. */
  title: string
  run(): Promise<Record<string, Record<string, string | number>>>
}

/** The middle one of some measured values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Rounds to two places, for a table. */
export const rounded = (value: number): number => Math.round(value * 100) / 100

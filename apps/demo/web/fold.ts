/** Folds what repeats: a step, or up to three in a row, that come again are one row with a count. */
import type { TimedStep } from '../story.ts'

export interface Row {
  step: TimedStep
  times: number
}

/** How many steps in a row may repeat together, such as a question and its answer. */
const LONGEST = 3

export function fold(steps: readonly TimedStep[]): readonly Row[] {
  const rows: Row[] = []
  for (const step of steps) {
    rows.push({ step, times: 1 })
    for (let length = 1; length <= LONGEST; length++) {
      if (!endsInRepeat(rows, length)) continue
      const repeated = rows.splice(-length)
      for (const [index, row] of rows.slice(-length).entries()) row.times += repeated[index]?.times ?? 0
      break
    }
  }
  return rows
}

function endsInRepeat(rows: readonly Row[], length: number): boolean {
  const last = rows.slice(-length)
  const before = rows.slice(-2 * length, -length)
  return before.length === length && last.every((row, index) => isSame(row.step, before[index]?.step))
}

const isSame = (one: TimedStep, other: TimedStep | undefined): boolean =>
  one.from === other?.from &&
  one.to === other.to &&
  one.text === other.text &&
  one.call === other.call &&
  one.tone === other.tone

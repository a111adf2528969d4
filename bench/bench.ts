/** What a bench is, and what its rows say: medians with their spread, and how they stand to the same thing done by hand. */

/** Rows for a table: a contestant's name, and its figures by column. */
export type Rows = Record<string, Record<string, string | number>>

export interface Bench {
  /** What is measured, in which unit. */
  title: string
  /** How often each contestant has its turn, unless `--runs` says otherwise; left out by a bench that has rounds of its own. */
  runs?: number
  run(runs: number): Promise<Rows>
}

/** The value below which this share of all values is. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const lower = sorted[Math.floor(place)] ?? Number.NaN
  const upper = sorted[Math.ceil(place)] ?? Number.NaN
  return lower + (upper - lower) * (place - Math.floor(place))
}

/** The middle one of some measured values. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Rounds to two places, for a table. */
export const rounded = (value: number): number => Math.round(value * 100) / 100

/** The median, and between which values the middle half lies. */
export const withSpread = (values: readonly number[]): string =>
  `${rounded(median(values))} (${rounded(quantile(values, 0.25))}–${rounded(quantile(values, 0.75))})`

/** The ratio of two medians, and between which the middle half of the rounds' ratios lies. */
function ratioOf(own: readonly number[], reference: readonly number[]): string {
  const ofRounds = own.map((value, round) => value / (reference[round] ?? Number.NaN))
  const [low, high] = [quantile(ofRounds, 0.25), quantile(ofRounds, 0.75)]
  return `${(median(own) / median(reference)).toFixed(2)}× (${low.toFixed(2)}–${high.toFixed(2)})`
}

/** Measured values, by contestant and by what was measured. */
export type Measured = Map<string, Record<string, number[]>>

/** Lets every contestant have its turn in each round, so that what else the machine does meets all alike. */
export async function interleave(
  contestants: readonly string[],
  runs: number,
  measure: (contestant: string) => Promise<Record<string, number>>,
): Promise<Measured> {
  const measured: Measured = new Map()
  for (let run = 0; run < runs; run++) {
    for (const contestant of contestants) {
      const values = await measure(contestant)
      const before = measured.get(contestant) ?? {}
      const added = Object.entries(values).map(([what, value]) => [what, [...(before[what] ?? []), value]])
      measured.set(contestant, Object.fromEntries(added))
    }
  }
  return measured
}

/**
 * A row for each contestant: medians with spread, and beside each how many times as long that is as its reference takes.
 *
 * @param referenceOf the contestant that another is held against, for one of the measured things; undefined: against none.
 */
export function rowsOf(
  measured: Measured,
  referenceOf: (contestant: string, what: string) => string | undefined,
): Rows {
  const row = (contestant: string, values: Record<string, number[]>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).flatMap(([what, own]) => {
        const reference = measured.get(referenceOf(contestant, what) ?? '')?.[what]
        return [
          [what, withSpread(own)],
          [`${what}, ratio`, reference ? ratioOf(own, reference) : ''],
        ]
      }),
    )
  return Object.fromEntries(
    [...measured].map(([contestant, values]) => [contestant, row(contestant, values)]),
  )
}

/** The definition of a bench and its rows: medians with their spread, and their ratio to a handwritten equivalent. */

/** Table rows, keyed by contestant: the figures by column. */
export type Rows = Record<string, Record<string, string | number>>

export interface Bench {
  /** The measured quantity and its unit. */
  title: string
  /** Turns per contestant, unless `--runs` overrides it; omitted by benches with their own rounds. */
  runs?: number
  run(runs: number): Promise<Rows>
}

/** The value below which this share of all values lies. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const lower = sorted[Math.floor(place)] ?? Number.NaN
  const upper = sorted[Math.ceil(place)] ?? Number.NaN
  return lower + (upper - lower) * (place - Math.floor(place))
}

/** The median of measured values. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Rounds to two decimals, for a table. */
export const rounded = (value: number): number => Math.round(value * 100) / 100

/** The median, and the range of the middle half. */
export const withSpread = (values: readonly number[]): string =>
  `${rounded(median(values))} (${rounded(quantile(values, 0.25))}–${rounded(quantile(values, 0.75))})`

/** The ratio of two medians, and the range of the middle half of the rounds' ratios; empty if the reference rounds to 0. */
function ratioOf(own: readonly number[], reference: readonly number[]): string {
  if (median(reference) === 0) return ''
  const ofRounds = own
    .map((value, round) => value / (reference[round] ?? Number.NaN))
    .filter((ratio) => Number.isFinite(ratio))
  const [low, high] = [quantile(ofRounds, 0.25), quantile(ofRounds, 0.75)]
  return `${(median(own) / median(reference)).toFixed(2)}× (${low.toFixed(2)}–${high.toFixed(2)})`
}

/** Measured values, by contestant and by what was measured. */
export type Measured = Map<string, Record<string, number[]>>

/** Runs every contestant once per round, so that other load on the machine affects all of them equally. */
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
 * Returns a row for each contestant: medians with spread, each with its ratio to the reference.
 *
 * @param referenceOf returns a contestant's reference for one of the measured quantities; undefined for none.
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

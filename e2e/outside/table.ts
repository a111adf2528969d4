/** What became of each step of each project, as a table and as a count. */

export const stepNames = ['install', 'types', 'build', 'start', 'buy', 'test'] as const
export type StepName = (typeof stepNames)[number]

export type Cell =
  | { state: 'green'; seconds: number }
  /** There is no such step, for this reason. */
  | { state: 'none'; reason: string }
  | { state: 'failed'; reason: string }

export type Row = Readonly<Record<StepName, Cell>>
export type Rows = ReadonlyMap<string, Row>

export function toMarkdown(rows: Rows): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(['project', 'install', 'types', 'build', 'start', 'buy', 'own test']),
    line(['---', ...stepNames.map(() => '---')]),
    ...[...rows].map(([name, row]) => line([name, ...stepNames.map((step) => say(row[step]))])),
  ].join('\n')
}

function say(cell: Cell): string {
  switch (cell.state) {
    case 'green':
      return `ok, ${cell.seconds.toFixed(1)} s`
    case 'none':
      return cell.reason
    case 'failed':
      return `**failed**: ${cell.reason.split('\n', 1)[0]?.replaceAll('|', '\\|')}`
  }
}

export function tally(rows: Rows): { passed: number; failed: number; skipped: number } {
  const cells = [...rows.values()].flatMap((row) => stepNames.map((step) => row[step].state))
  return {
    passed: cells.filter((state) => state === 'green').length,
    failed: cells.filter((state) => state === 'failed').length,
    skipped: 0,
  }
}

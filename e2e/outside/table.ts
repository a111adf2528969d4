/** What became of each step of each project, as a table and as a count. */
import type { Tally } from '../../scripts/tally.ts'

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

export function tally(rows: Rows): Tally {
  const cells = [...rows].flatMap(([project, row]) =>
    stepNames.map((step) => ({ name: `outside: ${project}, ${step}`, state: row[step].state })),
  )
  const failures = cells.filter(({ state }) => state === 'failed').map(({ name }) => name)
  const passed = cells.filter(({ state }) => state === 'green').length
  return { passed, failed: failures.length, skipped: 0, failures }
}

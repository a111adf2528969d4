/** What proofs measured on one commit: kept from part to part, so that a whole that takes hours can be run in several. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import type { Tally } from './tally.ts'

const root = dirname(import.meta.dirname)
const engines = ['chromium', 'firefox', 'webkit']
/** These are sentences, which scripts/failures.ts writes to docs/failures.md. */
const ownPage = 'failure: '
const endsWithEngine = new RegExp(`^(.*), (${engines.join('|')})$`)

/** One run of a runner, or of a part of it. */
interface Run extends Pick<Tally, 'passed' | 'failed' | 'skipped'> {
  run: string
  date: string
  minutes: number
}

interface Figure {
  claim: string
  figure: string | number
}

export interface Figures {
  /** Where proofs write to (`EVIDENCE_FILE`). */
  readonly file: string
  addRun(run: Run): void
  /** The machine, what was run and what was measured, as Markdown. */
  print(): string
}

/** Of the commit that is checked out. With changes that are not committed, they begin anew. */
export function openFigures(): Figures {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], {
    cwd: root,
    encoding: 'utf8',
  }).trim()
  const file = join(root, '.cache', 'evidence', `${commit}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  if (commit.endsWith('-dirty')) rmSync(file, { force: true })

  return {
    file,
    addRun: (run) => appendFileSync(file, `${JSON.stringify(run)}\n`),
    print() {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
      const memory = Math.round(totalmem() / 2 ** 30)
      const machine = `Commit ${commit}; ${process.platform}, ${cpus().length} cores, ${memory} GB, Node ${process.versions.node}.`
      return `${machine}\n\n${tablesOf(lines.map((line) => JSON.parse(line)))}`
    },
  }
}

/** @param all in the order in which they were kept. */
export function tablesOf(all: readonly (Figure | Run)[]): string {
  const figures = latest(all.filter((one) => 'claim' in one))
  return [
    '## What was run',
    ofRuns(all.filter((one) => 'run' in one)),
    '## In three engines',
    perEngine(figures.filter(({ claim }) => !claim.startsWith(ownPage))),
    '## The rest',
    others(figures),
  ].join('\n\n')
}

/** What was measured again stands for what was measured before. */
const latest = (figures: Figure[]): Figure[] =>
  [...new Map(figures.map((one) => [one.claim, one])).values()].sort((a, b) => a.claim.localeCompare(b.claim))

const ofRuns = (runs: Run[]): string =>
  table(
    ['run', 'date', 'minutes', 'passed', 'failed', 'skipped'],
    runs.map(({ run, date, minutes, passed, failed, skipped }) =>
      [`\`${run}\``, date, minutes, passed, failed, skipped].map(String),
    ),
  )

/** Claims that end with an engine's name: a row for each, a column for each engine; a dash where an engine was not asked. */
function perEngine(figures: Figure[]): string {
  const rows = new Map<string, Partial<Record<string, string>>>()
  for (const { claim, figure } of figures) {
    const [, about, engine] = claim.match(endsWithEngine) ?? []
    if (about && engine) rows.set(about, { ...rows.get(about), [engine]: String(figure) })
  }
  const body = [...rows].map(([about, cells]) => [about, ...engines.map((engine) => cells[engine] ?? '–')])
  return table(['claim', ...engines], countAlike(body))
}

/** Of a matrix (`purchase: popup, self, paid`), cells that gave the same are one row: the first of them, and how many more. */
function countAlike(rows: string[][]): string[][] {
  const alike = new Map<string, { first: string; more: number; cells: string[] }>()
  for (const [claim = '', ...cells] of rows) {
    const matrix = claim.match(/^.*?[:,] /)?.[0] ?? claim
    const key = JSON.stringify([matrix, ...cells])
    const same = alike.get(key)
    if (same) same.more++
    else alike.set(key, { first: claim, more: 0, cells })
  }
  return [...alike.values()].map(({ first, more, cells }) => [
    more ? `${first}; ${more} more` : first,
    ...cells,
  ])
}

const others = (figures: Figure[]): string =>
  table(
    ['claim', 'figure'],
    figures
      .filter(({ claim }) => !endsWithEngine.test(claim))
      .map(({ claim, figure }) => [claim, inShort(figure)]),
  )

const inShort = (figure: string | number): string =>
  typeof figure === 'number' ? String(Math.round(figure * 1000) / 1000) : figure

function table(head: string[], body: string[][]): string {
  const row = (cells: string[]): string =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...body.map(row)].join('\n')
}

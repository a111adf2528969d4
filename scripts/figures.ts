/** The output of `pnpm evidence`: .cache/evidence/evidence.json, and the same data as a page. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from './run.ts'
import type { Tally } from './tally.ts'

const folder = join(root, '.cache', 'evidence')

/** The measurement of one proof. */
interface Figure {
  /** For a measurement in one engine, ends with the engine's name. */
  claim: string
  figure: string | number
}

/** One run of a test runner. */
interface Run extends Omit<Tally, 'failures' | 'seconds'> {
  run: string
  date: string
  minutes: number
}

interface Figures {
  /** Environment for full proofs that record their figures. */
  env: Record<string, string>
  addRun(run: string, began: number, tally: Tally): void
  /** Writes both files, and returns the page. */
  write(): string
}

/** Opens a file for this commit, to which tests and runs append lines. */
export function openFigures(): Figures {
  mkdirSync(folder, { recursive: true })
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const file = join(folder, `${commit}.jsonl`)
  return {
    env: { EVIDENCE: 'full', EVIDENCE_FILE: file, ENGINES: 'all' },
    addRun(run, began, { passed, failed, skipped }) {
      const minutes = Math.round((Date.now() - began) / 60_000)
      const date = new Date(began).toISOString().slice(0, 10)
      appendFileSync(file, `${JSON.stringify({ run, date, minutes, passed, failed, skipped })}\n`)
    },
    write() {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
      const memory = Math.round(totalmem() / 2 ** 30)
      const machine = `${process.platform}, ${cpus().length} cores, ${memory} GB, Node ${process.versions.node}`
      const evidence = { commit, machine, ...sorted(lines.map((line) => JSON.parse(line))) }
      writeFileSync(join(folder, 'evidence.json'), JSON.stringify(evidence, null, 2))
      const page = pageOf(evidence)
      writeFileSync(join(folder, 'evidence.md'), page)
      return page
    },
  }
}

interface Evidence {
  runs: Run[]
  /** In the order of their claims. */
  figures: Figure[]
}

/** @param all in recording order: later measurements replace earlier ones. */
export function sorted(all: readonly (Figure | Run)[]): Evidence {
  const figures = all.filter((one) => 'claim' in one)
  const latest = [...new Map(figures.map((one) => [one.claim, one])).values()]
  return {
    runs: all.filter((one) => 'run' in one),
    figures: latest.sort((a, b) => a.claim.localeCompare(b.claim)),
  }
}

export function pageOf({
  commit,
  machine,
  runs,
  figures,
}: Evidence & { commit: string; machine: string }): string {
  return [
    '# Evidence',
    `Every proof is against the sandbox of this repository, none against the service. Commit ${commit}; ${machine}.`,
    table(
      ['run', 'date', 'minutes', 'passed', 'failed', 'skipped'],
      runs.map(({ run, date, minutes, passed, failed, skipped }) => [
        run,
        date,
        minutes,
        passed,
        failed,
        skipped,
      ]),
    ),
    table(
      ['claim', 'figure'],
      figures.map(({ claim, figure }) => [claim, figure]),
    ),
    '',
  ].join('\n\n')
}

function table(head: string[], body: (string | number)[][]): string {
  const row = (cells: (string | number)[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...body.map(row)].join('\n')
}

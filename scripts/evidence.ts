/**
 * Runs every proof in full, and prints what was measured as a table. It does not begin without every engine, Redis and Postgres, and a test
 * that was skipped all the same counts as failed: a figure stands for what was run.
 *
 *     node scripts/evidence.ts            everything but `soak`: some hours on two cores
 *     node scripts/evidence.ts NAME       one runner of scripts/runners.ts, such as `unit`, `e2e`, `outside`, `quickstart`, `runtimes`, `drivers`, `kit`, `docs` or `soak`
 *     node scripts/evidence.ts e2e matrix --shard=1/4        a part of it: what follows the name is the runner's own
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { missingPrograms } from './requirements.ts'
import { evidenceRunners, execute, run, soak } from './runners.ts'

const engineNames = ['chromium', 'firefox', 'webkit']
const endsWithEngine = new RegExp(`^(.*), (${engineNames.join('|')})$`)
const file = join(import.meta.dirname, '..', '.cache', 'evidence.jsonl')
const [name, ...part] = process.argv.slice(2)

const all = [...evidenceRunners, soak]
if (name && !all.some((runner) => runner.name === name))
  throw new Error(`There is no "${name}". Choose from: ${all.map(({ name }) => name).join(', ')}.`)

const missing = missingPrograms()
if (missing.length > 0) {
  console.error(
    `Not on this machine: ${missing.join(', ')}. Evidence needs all of them; .ci/run installs them on Debian.`,
  )
  process.exit(1)
}

rmSync(file, { force: true })
let failed = await execute('node', ['scripts/build.ts', '--stale'])
for (const runner of name ? all.filter((one) => one.name === name) : evidenceRunners) {
  const tally = await run(
    { ...runner, args: [...runner.args, ...part] },
    { EVIDENCE: 'full', ENGINES: 'all' },
  )
  failed += tally.failed + tally.skipped
}

const figures = readFigures()
console.log(`\n${perEngine(figures)}\n\n${others(figures)}`)
if (failed > 0) console.log(`\n${failed} failed or skipped: the figures above are not complete.`)
process.exitCode = failed === 0 ? 0 : 1

interface Figure {
  claim: string
  figure: string | number
}

function readFigures(): Figure[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Figure).sort((a, b) => a.claim.localeCompare(b.claim))
}

/** Claims that end with an engine's name: a row for each, a column for each engine. */
function perEngine(figures: Figure[]): string {
  const rows = new Map<string, Partial<Record<string, string>>>()
  for (const { claim, figure } of figures) {
    const [, about, engine] = claim.match(endsWithEngine) ?? []
    if (about && engine) rows.set(about, { ...rows.get(about), [engine]: String(figure) })
  }
  const body = [...rows].map(([about, cells]) => [about, ...engineNames.map((engine) => cells[engine] ?? '')])
  return table(['claim', ...engineNames], body)
}

function others(figures: Figure[]): string {
  const rest = figures.filter(({ claim }) => !endsWithEngine.test(claim))
  return table(
    ['claim', 'figure'],
    rest.map(({ claim, figure }) => [claim, String(figure)]),
  )
}

function table(head: string[], body: string[][]): string {
  const row = (cells: string[]): string =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...body.map(row)].join('\n')
}

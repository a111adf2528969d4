/**
 * Runs the benches, one after the other, three times, prints a table for each, and writes them all to bench/RESULTS.md after each time. Run it on a machine
 * that does nothing else; the peers are installed once with `npm ci --ignore-scripts` in bench/peers.
 *
 *     node bench/run.ts                       all of them, three times
 *     node bench/run.ts opening task          only the named ones, once: nothing is written
 *     node bench/run.ts --runs 2 opening      fewer turns, to see that it works: nothing is written
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Bench, Rows } from './bench.ts'
import { peerVersions } from './browser/bundles.ts'
import { mounting } from './browser/mounting.ts'
import { opening } from './browser/opening.ts'
import { parsing } from './browser/parsing.ts'
import { task } from './browser/task.ts'
import { serving } from './serve/compare.ts'
import { throughput } from './server/throughput.ts'

const benches: Readonly<Record<string, Bench>> = { parsing, task, opening, mounting, throughput, serving }

const { values, positionals: wanted } = parseArgs({
  options: { runs: { type: 'string' } },
  allowPositionals: true,
})
const unknown = wanted.find((name) => !(name in benches))
if (unknown)
  throw new Error(`There is no bench "${unknown}". Choose from: ${Object.keys(benches).join(', ')}.`)

const isWhole = wanted.length === 0 && values.runs === undefined
/** Of each bench, what every pass gave. */
const passes: Record<string, Rows[]> = {}
const turnsOf = ({ runs }: Bench): number => Number(values.runs ?? runs ?? 1)
const titleOf = (bench: Bench): string =>
  bench.runs === undefined ? bench.title : `${bench.title}; ${turnsOf(bench)} turns each`

for (let pass = 1; pass <= (isWhole ? 3 : 1); pass++) {
  for (const [name, bench] of Object.entries(benches)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    console.log(`\n${titleOf(bench)}`)
    const rows = await bench.run(turnsOf(bench))
    console.table(rows)
    passes[name] = [...(passes[name] ?? []), rows]
  }
  // After each pass: a run that is stopped leaves what it has measured.
  if (isWhole) writeFileSync(join(import.meta.dirname, 'RESULTS.md'), document(pass))
}

function document(pass: number): string {
  const tables = Object.entries(benches).map(
    ([name, bench]) => `## ${name}\n\n${titleOf(bench)}.\n\n${markdown(joined(passes[name] ?? []))}\n`,
  )
  const versions = Object.entries(peerVersions()).map(([name, version]) => `${name} ${version}`)
  const machine = `${cpus().length} × ${cpus()[0]?.model}`
  return `# What the benches gave

\`pnpm bench\`, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${machine}. Every contestant has its turn in each round. A figure is the
median, and in brackets where the middle half lies; a ratio is that of two medians, and in brackets where the middle half of the rounds' own ratios
lies. ${pass === 1 ? 'The whole was run once.' : `The whole was run ${pass} times: a cell has a line for each.`} Peers: ${versions.join(', ')}.

${tables.join('\n')}`
}

/** One table of several passes: a line in each cell for each of them. */
function joined(all: readonly Rows[]): Rows {
  const [first = {}] = all
  const cell = (name: string, column: string): string =>
    all
      .map((rows) => rows[name]?.[column] ?? '')
      .join('<br>')
      .replace(/^(<br>)+$/, '')
  return Object.fromEntries(
    Object.entries(first).map(([name, row]) => [
      name,
      Object.fromEntries(Object.keys(row).map((column) => [column, cell(name, column)])),
    ]),
  )
}

function markdown(rows: Rows): string {
  const columns = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))]
  const line = (cells: readonly string[]): string =>
    `| ${cells.join(' | ')} |`.replaceAll(/\| {2}(?=\|)/g, '| ')
  const body = Object.entries(rows).map(([name, row]) => [
    name,
    ...columns.map((each) => `${row[each] ?? ''}`),
  ])
  return [line(['', ...columns]), line(['---', ...columns.map(() => '---')]), ...body.map(line)].join('\n')
}

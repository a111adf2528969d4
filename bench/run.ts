/**
 * Runs the benches one after the other, prints a table for each, and writes the tables to bench/RESULTS.md. Run it on an otherwise
 * idle machine; install the peers once with `npm ci --ignore-scripts` in bench/peers.
 *
 *     node bench/run.ts                       all of them
 *     node bench/run.ts opening task          only the named ones: nothing is written
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
import { throughput } from './server/throughput.ts'

const benches: Readonly<Record<string, Bench>> = { parsing, task, opening, mounting, throughput }

const { values, positionals: wanted } = parseArgs({
  options: { runs: { type: 'string' } },
  allowPositionals: true,
})
const unknown = wanted.find((name) => !(name in benches))
if (unknown)
  throw new Error(`There is no bench "${unknown}". Choose from: ${Object.keys(benches).join(', ')}.`)

const isWhole = wanted.length === 0 && values.runs === undefined
const sections: string[] = []

for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const turns = Number(values.runs ?? bench.runs ?? 1)
  const title = bench.runs === undefined ? bench.title : `${bench.title}; ${turns} turns each`
  console.log(`\n${title}`)
  const rows = await bench.run(turns)
  console.table(rows)
  sections.push(`## ${name}\n\n${title}.\n\n${markdown(rows)}\n`)
  // Written after each bench, so that an interrupted run keeps its results.
  if (isWhole) writeFileSync(join(import.meta.dirname, 'RESULTS.md'), document())
}

function document(): string {
  const versions = Object.entries(peerVersions()).map(([name, version]) => `${name} ${version}`)
  const machine = `${cpus().length} × ${cpus()[0]?.model}`
  return `# What the benches gave

\`pnpm bench\`, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${machine}. Every contestant has its turn in each round. A figure is the
median, and in brackets where the middle half lies; a ratio is that of two medians, and in brackets where the middle half of the rounds' own ratios
lies. Peers: ${versions.join(', ')}.

${sections.join('\n')}`
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

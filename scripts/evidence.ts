/**
 * Runs every proof in full, and prints what was measured as a table.
 *
 *     node scripts/evidence.ts            everything: about an hour on two cores
 *     node scripts/evidence.ts e2e        only the browsers; `unit`: only Vitest
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execute, run, runners } from './runners.ts'

const file = join(import.meta.dirname, '..', '.cache', 'evidence.jsonl')
const names = process.argv.slice(2)

rmSync(file, { force: true })
let failed = await execute('node', ['scripts/build.ts', '--stale'])
for (const runner of runners) {
  if (names.length > 0 && !names.includes(runner.name)) continue
  failed += (await run(runner, { EVIDENCE: 'full' })).failed
}

console.log(`\n${table(readFigures())}`)
if (failed > 0) console.log(`\n${failed} failed: the figures above are not complete.`)
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

function table(figures: Figure[]): string {
  const cell = (text: string | number): string => String(text).replaceAll('|', '\\|')
  const rows = figures.map(({ claim, figure }) => `| ${cell(claim)} | ${cell(figure)} |`)
  return ['| claim | figure |', '|---|---|', ...rows].join('\n')
}

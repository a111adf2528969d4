/**
 * Packs the packages, installs the tarballs into projects outside the repository, and runs the steps of their owners there.
 *
 *     node e2e/outside/main.ts            the projects of `pnpm test`; with EVIDENCE=full all of them
 *     node e2e/outside/main.ts entries    only this one
 *
 * Prints the table, and writes it to .cache/outside.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChromium } from '../../scripts/browsers.ts'
import { recordFigure } from '../../scripts/proof.ts'
import { buyWith } from './buy.ts'
import { buildHouse, startSandbox } from './house.ts'
import { type Project, projects, stepNames } from './projects.ts'
import { type Row, tally, toMarkdown, workThrough } from './steps.ts'

/** Two at a time: most steps wait for one processor. */
const SIDE_BY_SIDE = 2

const all: Readonly<Record<string, Project>> = projects
const rows = await workThroughAll(choose(process.argv.slice(2)))
const table = toMarkdown(rows)
const counts = tally(rows)
console.log(`\n${table}\n\n${counts.passed} green, ${counts.failed} failed`)
write('outside.md', `${table}\n`)
write('test/outside.json', JSON.stringify(counts))
for (const [name, row] of rows) recordFigure(`outside: ${name}`, greenOf(row))
process.exitCode = counts.failed === 0 ? 0 : 1

function choose(names: readonly string[]): Record<string, Project> {
  const unknown = names.find((name) => !Object.hasOwn(all, name))
  if (unknown) throw new Error(`There is no project "${unknown}". There are: ${Object.keys(all).join(', ')}.`)
  const isChosen = ([name, { always }]: [string, Project]): boolean =>
    names.length > 0 ? names.includes(name) : always === true || process.env.EVIDENCE === 'full'
  return Object.fromEntries(Object.entries(all).filter(isChosen))
}

async function workThroughAll(chosen: Record<string, Project>): Promise<Map<string, Row>> {
  const house = await buildHouse(chosen)
  const browser = await startChromium()
  const service = await startSandbox(house)
  try {
    const site = { house, service: service.env, buy: buyWith(browser, service.widgetUrl) }
    const results = new Map<string, Row>()
    const waiting = Object.entries(chosen)
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [name, project] = next
        results.set(name, await workThrough(name, project, site))
        console.log(`${name}: ${greenOf(results.get(name))}`)
      }
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
    return new Map(
      Object.keys(chosen).flatMap((name) => (results.get(name) ? [[name, results.get(name) as Row]] : [])),
    )
  } finally {
    await service.stop()
    await browser.close()
    await house.tearDown()
  }
}

function greenOf(row: Row | undefined): string {
  const steps = stepNames.filter((step) => row?.[step].state === 'green')
  return `${steps.join(', ')} green`
}

function write(file: string, text: string): void {
  const path = join(import.meta.dirname, '..', '..', '.cache', file)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}

// Promise: outside/projects
/** The steps of a project's owner, in this order: install, check the types, build, start, sell, test; and their results. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Environment, freePort, type Running, run, start } from '../../scripts/processes.ts'
import type { Tally } from '../../scripts/tally.ts'
import type { Buy } from './buy.ts'
import type { House } from './house.ts'
import { type Project, type StepName, stepNames } from './projects.ts'

type Cell =
  | { state: 'green'; seconds: number }
  /** The step does not exist, for this reason. */
  | { state: 'none'; reason: string }
  | { state: 'failed'; reason: string }

export type Row = Readonly<Record<StepName, Cell>>
type Rows = ReadonlyMap<string, Row>

interface Site {
  house: House
  /** Credentials and addresses of the service. */
  service: Environment
  buy: Buy
}

interface Work {
  name: string
  project: Project
  port: number
  shop?: Running
}

/** Runs all steps of a project; after a failure, the steps that depend on it are skipped. */
export async function workThrough(name: string, project: Project, site: Site): Promise<Row> {
  const work: Work = { name, project, port: await freePort() }
  const scripts = await scriptsOf(site.house.folderOf(name))
  const cells: Partial<Record<StepName, Cell>> = {}
  try {
    for (const step of stepNames) cells[step] = await attempt(step, cells, work, scripts, site)
  } finally {
    await work.shop?.stop()
  }
  return cells as Row
}

async function scriptsOf(folder: string): Promise<ReadonlySet<string>> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  return new Set(Object.keys(scripts))
}

async function attempt(
  step: StepName,
  before: Partial<Record<StepName, Cell>>,
  work: Work,
  scripts: ReadonlySet<string>,
  site: Site,
): Promise<Cell> {
  const { without = {}, sale } = work.project
  const exists = step === 'install' || (step === 'buy' ? sale !== undefined : scripts.has(step))
  const reason = without[step]
  if (reason) return { state: 'none', reason }
  if (!exists) return { state: 'failed', reason: 'the project has no such step, and no reason why' }
  const broken = needs[step].find((name) => before[name]?.state === 'failed')
  if (broken) return { state: 'failed', reason: `${broken} failed` }
  const startedAt = Date.now()
  try {
    await take[step](work, site)
    return { state: 'green', seconds: (Date.now() - startedAt) / 1000 }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.error(`${work.name}, ${step}: ${reason}\n${work.shop?.output() ?? ''}`)
    return { state: 'failed', reason }
  }
}

const needs: Record<StepName, readonly StepName[]> = {
  install: [],
  types: ['install'],
  build: ['install'],
  start: ['install', 'build'],
  buy: ['start'],
  test: ['install'],
}

const take: Record<StepName, (work: Work, site: Site) => Promise<unknown>> = {
  install: (_work, { house }) => house.install(),
  types: (work, site) => script('types', work, site),
  // No secrets, no addresses.
  build: (work, site) => script('build', work, site),
  test: (work, site) => script('test', work, site),
  async start(work, site) {
    await startWithoutSecrets(work, site)
    work.shop = await open(work, site, site.service)
  },
  async buy({ name, port, shop, project: { sale } }, { buy }) {
    if (sale && shop) await buy({ name, url: `http://localhost:${port}`, sale, output: shop.output })
  },
}

const script = (name: string, work: Work, { house }: Site): Promise<string> =>
  run('npm', ['run', '--silent', name], { cwd: house.folderOf(work.name), env: { ...house.env, ...session } })

/** Every shop has this secret from the start; without it, guests cannot be identified. */
const session = { SESSION_SECRET: 'the secret of the shop, with 32 characters' }

function open({ name, port }: Work, { house }: Site, service: Environment): Promise<Running> {
  const url = `http://localhost:${port}`
  const env = {
    ...house.env,
    ...session,
    ...service,
    PORT: String(port),
    PURCHASE_COMPANION_URL: `${url}/api/purchase-widget`,
  }
  const answers = async (): Promise<boolean> => (await fetch(url).catch(() => null))?.ok ?? false
  return start('npm', ['run', '--silent', 'start'], { cwd: house.folderOf(name), env }, answers)
}

/** The server still starts; the first request gets a 503, and one line names what is missing. */
async function startWithoutSecrets(work: Work, site: Site): Promise<void> {
  const shop = await open(work, site, {})
  try {
    const { status } = await fetch(
      `http://localhost:${work.port}/api/purchase-widget/launch?product_id=gold-100`,
      { headers: { cookie: 'session=the-random-id-of-a-session' } },
    )
    const naming = (): string[] =>
      shop
        .output()
        .split('\n')
        .filter((line) => line.includes('PURCHASE_'))
    // A program's output may arrive after its response.
    for (const until = Date.now() + 10_000; naming().length === 0 && Date.now() < until; ) await sleep(100)
    const lines = naming()
    if (status !== 503 || lines.length !== 1)
      throw new Error(`Without secrets: ${status}, and these lines name a variable: ${lines.join('\n')}`)
  } finally {
    await shop.stop()
  }
}

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

/** Measures what docs/sandbox.md states, with the built command. Nothing is held against a time: machines differ. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { full, proofRuns, recordFigure } from '../../../scripts/proof.ts'
import { createSandbox } from '../src/index.ts'
import { built, type RunningCli, startCli } from './support/cli.ts'

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Milliseconds. */
async function timed<Result>(work: () => Promise<Result>): Promise<[result: Result, ms: number]> {
  const started = performance.now()
  return [await work(), performance.now() - started]
}

const start = (args: string[] = []): Promise<RunningCli> => startCli(['--json', ...args], built)

async function stop(cli: RunningCli): Promise<void> {
  cli.process.kill()
  expect(await cli.exited).toBe(0)
}

test('the command has been built', () => {
  expect(existsSync(join(import.meta.dirname, '../dist/cli.js')), 'Run node scripts/build.ts sandbox.').toBe(
    true,
  )
})

test('the built package starts alone, so that a start loads no other package’s files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  for (const part of ['bin', 'dist', 'package.json'])
    await cp(join(import.meta.dirname, '..', part), join(folder, part), { recursive: true })
  await stop(await startCli(['--json'], join(folder, 'bin/sandbox.cjs')))
  await rm(folder, { recursive: true })
})

// A figure for evidence; no test claims a time.
test.runIf(full)(
  'the times of a start are measured, by createSandbox and by the command',
  async () => {
    const runs = 10
    const [library, reset, command]: [number[], number[], number[]] = [[], [], []]
    for (let run = 0; run < runs; run++) {
      const [sandbox, startMs] = await timed(() => createSandbox())
      const [, resetMs] = await timed(async () => sandbox.reset())
      await sandbox.close()
      const [cli, commandMs] = await timed(() => start())
      await stop(cli)
      library.push(startMs)
      reset.push(resetMs)
      command.push(commandMs)
    }
    recordFigure('sandbox: milliseconds until ready, createSandbox()', Math.round(median(library)))
    recordFigure('sandbox: milliseconds for a reset', Number(median(reset).toFixed(1)))
    recordFigure(
      `sandbox: milliseconds until the line of --json, built, median of ${runs} starts`,
      Math.round(median(command)),
    )
  },
  240_000,
)

const orders = proofRuns(10_000, 50)
const json = { 'content-type': 'application/json' }

/** Sends so many requests, ten at a time, and gives how many were answered in a second. */
async function rateOf(
  count: number,
  request: (index: number) => Promise<Response>,
  status: number,
): Promise<number> {
  const [, ms] = await timed(async () => {
    for (let sent = 0; sent < count; sent += 10)
      await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const response = await request(sent + index)
          expect(response.status).toBe(status)
          await response.arrayBuffer()
        }),
      )
  })
  return Math.round((count * 1_000) / ms)
}

const post = (url: string, body: unknown, headers = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })

const megabytes = ({ process }: RunningCli): number =>
  Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(process.pid)])) / 1024)

test.for(['in memory', 'on disk'])(
  `states what ${orders} orders take %s`,
  { timeout: 600_000 },
  async (where) => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
    const file = join(folder, 'shop.db')
    const args = where === 'on disk' ? ['--db', file] : []
    const state = (name: string, figure: number): void =>
      recordFigure(`sandbox, ${orders} orders ${where}: ${name}`, figure)

    const cli = await start(args)
    const { controlUrl, baseUrl, apiKey } = cli.ready
    state('megabytes at the start', megabytes(cli))
    const buy = (index: number): Promise<Response> =>
      post(`${controlUrl}/purchases`, {
        params: { product_id: 'castle', quote_amount: '0.01', custom_id: `shopper-${index}` },
      })
    state('purchases a second', await rateOf(orders, buy, 201))
    state('megabytes after', megabytes(cli))
    const look = (index: number): Promise<Response> =>
      post(
        `${baseUrl}/api/business/transactions/data`,
        { custom_id: `shopper-${index}` },
        { 'api-key': apiKey },
      )
    state('transaction details a second', await rateOf(proofRuns(3_000, 50), look, 200))
    await stop(cli)

    if (where === 'on disk') {
      state('megabytes of the file', Math.round((await stat(file)).size / 1024 / 1024))
      const [again, ms] = await timed(() => start(args))
      state('milliseconds until the line of --json', Math.round(ms))
      expect(await (await fetch(`${again.ready.controlUrl}/state`)).json()).toHaveProperty('orders')
      await stop(again)
    }
    await rm(folder, { recursive: true })
  },
)

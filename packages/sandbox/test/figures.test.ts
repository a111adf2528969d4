/** Measures what docs/sandbox.md states. Nothing is held against a time: machines differ. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../scripts/proof.ts'
import { createSandbox } from '../src/index.ts'
import { startCli } from './support/cli.ts'

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

test('states how long a start takes, from createSandbox and from the command line', async () => {
  const runs = proofRuns(15, 2)
  const [library, reset, command]: [number[], number[], number[]] = [[], [], []]
  for (let run = 0; run < runs; run++) {
    let started = performance.now()
    const sandbox = await createSandbox()
    library.push(performance.now() - started)
    started = performance.now()
    sandbox.reset()
    reset.push(performance.now() - started)
    await sandbox.close()
    started = performance.now()
    const cli = await startCli(['--json'])
    command.push(performance.now() - started)
    cli.process.kill()
    await cli.exited
  }
  recordFigure('sandbox: milliseconds until ready, createSandbox()', Math.round(median(library)))
  recordFigure('sandbox: milliseconds for a reset', Number(median(reset).toFixed(1)))
  recordFigure(
    'sandbox: milliseconds until the ready line, node src/cli.ts --json',
    Math.round(median(command)),
  )
  expect(library).toHaveLength(runs)
}, 120_000)

test('states how much memory it takes after many orders', async () => {
  const orders = proofRuns(10_000, 300)
  const cli = await startCli(['--json'])
  const megabytes = (): number =>
    Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(cli.process.pid)])) / 1024)
  const before = megabytes()
  const body = JSON.stringify({ params: { product_id: 'castle', quote_amount: '0.01' } })
  const headers = { 'Content-Type': 'application/json' }
  for (let made = 0; made < orders; made += 10)
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const response = await fetch(`${cli.ready.controlUrl}/purchases`, { method: 'POST', headers, body })
        expect(response.status).toBe(201)
        await response.arrayBuffer()
      }),
    )
  recordFigure(
    `sandbox: megabytes resident at the start and after ${orders} orders`,
    `${before}, ${megabytes()}`,
  )
  cli.process.kill()
  expect(await cli.exited).toBe(0)
}, 240_000)

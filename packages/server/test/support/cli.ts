/** The command line as a user runs it, each time in a process of its own. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** Half of the processor time of a run is compilation: the cache keeps its result for the next. */
const NODE_COMPILE_CACHE = join(tmpdir(), 'purchase-widget-cli')

type Running = ChildProcessByStdio<null, Readable, Readable>

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
  /** From the last output to the end of the process. */
  lingeredMs: number
}

/** @param variables its whole environment except `PATH`. */
const startCli = (args: readonly string[], variables: Record<string, string>, cwd?: string): Running =>
  spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })

export function runCli(...args: Parameters<typeof startCli>): Promise<Ended> {
  const child = startCli(...args)
  const ended: Ended = { code: null, stdout: '', stderr: '', lingeredMs: 0 }
  let spokeAt = performance.now()
  child.stdout.on('data', (chunk: Buffer) => {
    ended.stdout += chunk
    spokeAt = performance.now()
  })
  child.stderr.on('data', (chunk: Buffer) => (ended.stderr += chunk))
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ ...ended, code, lingeredMs: performance.now() - spokeAt }))
  })
}

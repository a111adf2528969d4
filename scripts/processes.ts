/** Runs programs as a terminal would: in their own folder, with only the given environment, and in a process group that ends with them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { delimiter, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Environment = Readonly<Record<string, string>>

interface Where {
  cwd: string
  env: Environment
}

export interface Running {
  /** Its output so far. */
  output(): string
  /** Resolves to its exit code if it has ended by itself or by a signal other than `SIGKILL`. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Whether a server responds at this address, with any response. */
export const answers = async (url: string): Promise<boolean> => (await fetch(url).catch(() => null)) !== null

/** Timeout for a server to become ready. */
const READY_TIMEOUT_MS = 180_000

/** Puts the current Node first. */
const path = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)

/** Runs a program until it exits, and resolves to its output. Rejects when it fails, or takes longer than `timeoutMs` milliseconds. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env }: Where,
  timeoutMs = 600_000,
): Promise<string> {
  const { child, output } = begin(command, args, { cwd, env })
  const [code] = await Promise.race([ended(child), sleep(timeoutMs, ['too late'], { ref: false })])
  if (code !== 0) {
    await end(child)
    throw new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${output()}`)
  }
  return output()
}

/** Starts a server, and waits until `isUp` reports that it is ready. */
export async function start(
  command: string,
  args: readonly string[],
  where: Where,
  isUp: (output: string) => boolean | Promise<boolean>,
): Promise<Running> {
  const { child, output } = begin(command, args, where)
  const stop = (signal?: NodeJS.Signals): Promise<number | null> => end(child, signal)
  const until = Date.now() + READY_TIMEOUT_MS
  while (!(await isUp(output()))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (!hasEnded && Date.now() < until) {
      await sleep(100)
      continue
    }
    await stop()
    throw new Error(`${[command, ...args].join(' ')} ${hasEnded ? 'ended' : 'is not up'}:\n${output()}`)
  }
  return { output, stop }
}

/**
 * A port for a server that another process starts. It is below the ephemeral ports (from 32768 in Linux, from 49152 in others), which
 * the system could assign again before the server listens.
 */
export async function freePort(): Promise<number> {
  for (let left = 100; left > 0; left--) {
    const port = randomInt(20_000, 30_000)
    const server = createServer().listen(port)
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error('There is no free port.')
}

function begin(command: string, args: readonly string[], { cwd, env }: Where) {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  const keep = (chunk: Buffer): void => {
    printed += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return { child, output: () => printed }
}

const ended = (child: ChildProcess): Promise<unknown[]> => once(child, 'close')

/** Stops the process and everything that it has started. */
async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
  if (!child.pid || child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exit = once(child, 'exit')
  process.kill(-child.pid, signal)
  await exit
  return child.exitCode
}

/** Runs programs as a terminal would: in a folder of theirs, with no environment but what they are given, and in a group that ends with them. */
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
  /** What it has printed so far. */
  output(): string
  /** Gives its exit code, where it has ended by itself or by another signal than `SIGKILL`. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Whether a server answers at this address, whatever it answers. */
export const answers = async (url: string): Promise<boolean> => (await fetch(url).catch(() => null)) !== null

/** How long a server may take until it answers. */
const PATIENCE = 180_000

/** The Node that runs this, before all others. */
const path = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)

/** Runs a program to its end, and gives what it printed. Rejects when it fails, or takes longer than `patience` milliseconds. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env }: Where,
  patience = 600_000,
): Promise<string> {
  const { child, output } = begin(command, args, { cwd, env })
  const [code] = await Promise.race([ended(child), sleep(patience, ['too late'], { ref: false })])
  if (code !== 0) {
    await end(child)
    throw new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${output()}`)
  }
  return output()
}

/** Starts a server, and waits until `isUp` says that it answers. */
export async function start(
  command: string,
  args: readonly string[],
  where: Where,
  isUp: (output: string) => boolean | Promise<boolean>,
): Promise<Running> {
  const { child, output } = begin(command, args, where)
  const stop = (signal?: NodeJS.Signals): Promise<number | null> => end(child, signal)
  const until = Date.now() + PATIENCE
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
 * A port for a server that another process starts. It is below those that systems hand out to whoever asks for any (from 32768 in Linux, from
 * 49152 in others): one of these may be handed out again before its server listens.
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

/** Ends the process with all that it has started. */
async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
  if (!child.pid || child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exit = once(child, 'exit')
  process.kill(-child.pid, signal)
  await exit
  return child.exitCode
}

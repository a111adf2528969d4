/** Runs the CLI in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

interface ReadyLine {
  widgetUrl: string
  widgetApiUrl: string
  baseUrl: string
  controlUrl: string
  apiKey: string
  secretKey: string
}

export interface RunningCli {
  process: ChildProcess
  ready: ReadyLine
  /** Resolves to the exit code, or null after a signal. */
  exited: Promise<number | null>
  /** Stops it, and resolves to the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

export interface Output {
  code: number | null
  stdout: string
  stderr: string
}

const sources = join(import.meta.dirname, '../../src/cli.ts')

interface Launched extends Omit<RunningCli, 'ready'> {
  /** The output so far. */
  output: Output
}

/** @param env In addition to this process's environment. */
export function launchCli(args: string[], env: Record<string, string> = {}, cli = sources): Launched {
  const child = spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const output: Output = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const stop = (signal?: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return exited
  }
  return { process: child, output, exited, stop }
}

/** Options for free ports, for tests that run in parallel. */
export const freePorts: readonly string[] = ['--port', '0', '--widget-port', '0']

/** Starts it with `--json`, by default on free ports, and waits for its line. */
export async function startCli(args: string[], cli = sources): Promise<RunningCli> {
  const { output, ...running } = launchCli([...freePorts, ...args, '--json'], {}, cli)
  await new Promise<void>((resolve, reject) => {
    running.process.stdout?.on('data', () => output.stdout.includes('\n') && resolve())
    void running.exited.then((code) => reject(new Error(`It exited with ${code}: ${output.stderr}`)))
  })
  return { ...running, ready: JSON.parse(output.stdout) as ReadyLine }
}

/** Runs it until it exits. */
export async function runCli(args: string[]): Promise<Output> {
  const { output, exited } = launchCli(args)
  output.code = await exited
  return output
}

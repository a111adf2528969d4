/** Builds an example and starts it, in a process group that ends with the test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'

export interface Running {
  url: string
  /** What it has printed. */
  output: () => string
  stop: () => Promise<void>
}

type Environment = Record<string, string>

/** Runs a script of the example's package.json to its end. */
export async function build(example: string, env: Environment): Promise<void> {
  const { child, output } = start(example, ['run', '--silent', 'build'], env)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The build of ${example} failed:\n${output()}`)
}

/** Runs the example's `start` until it answers. */
export async function serve(
  example: string,
  port: number,
  env: Environment,
  args: string[] = [],
): Promise<Running> {
  const url = `http://localhost:${port}`
  const { child, output } = start(example, ['run', '--silent', 'start', '--', ...args], {
    ...env,
    PORT: String(port),
  })
  const exit = once(child, 'exit')
  const stop = async (): Promise<void> => {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await exit
  }
  const answers = async (): Promise<boolean> => (await fetch(url).catch(() => null)) !== null
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`${example} ended:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { url, output, stop }
}

function start(example: string, args: string[], env: Environment) {
  const cwd = join(import.meta.dirname, '..', example)
  const bin = [join(cwd, 'node_modules', '.bin'), join(import.meta.dirname, '../../node_modules/.bin')]
  const child = spawn('npm', args, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: '1',
      PATH: [...bin, process.env.PATH].join(delimiter),
      ...env,
    },
  })
  let printed = ''
  const keep = (chunk: Buffer): void => {
    printed += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return { child, output: () => printed }
}

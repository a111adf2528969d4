/** The demo's server as a process of its own, to be stopped as a person or a crash would. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const main = join(import.meta.dirname, '..', 'server', 'main.ts')

export interface Ended {
  code: number | null
  output: string
}

export interface ShopProcess {
  url: string
  /** All that it has said, once that matches. */
  said(pattern: RegExp): Promise<string>
  signal(name: 'SIGINT'): void
  ended: Promise<Ended>
}

type Environment = Record<string, string>

/** Away from the repository, whose .env is the developer's own. */
const elsewhere = import.meta.dirname

/** Runs `main.ts` until it ends by itself. */
export async function runToEnd(args: string[], env: Environment = {}, cwd = elsewhere): Promise<Ended> {
  return spawnMain(args, env, cwd).ended
}

/** Runs `main.ts` until it says where it is. */
export async function startProcess(args: string[], env: Environment = {}): Promise<ShopProcess> {
  const { child, ended, said } = spawnMain(args, env, elsewhere)
  const url = await Promise.race([
    said(/Open (http:\S+)/).then((output) => `${/Open (http:\S+)/.exec(output)?.[1]}`),
    ended.then(({ output }) => Promise.reject(new Error(output))),
  ])
  return { url, ended, said, signal: (name) => child.kill(name) }
}

function spawnMain(args: string[], env: Environment, cwd: string) {
  const child = spawn(process.execPath, [main, ...args], { cwd, env: { PATH: process.env.PATH, ...env } })
  let output = ''
  const collect = (chunk: Buffer): void => {
    output += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const ended = once(child, 'close').then(([code]): Ended => ({ code, output }))

  async function said(pattern: RegExp): Promise<string> {
    for (;;) {
      if (pattern.test(output)) return output
      await once(child.stdout, 'data')
    }
  }
  return { child, ended, said }
}

/** Starts a shop on a runtime, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Sandbox } from '@purchase-widget/sandbox'
import type { Runtime } from './runtimes.ts'

/** Where shoppers see the shop; the process itself listens elsewhere, as behind a proxy. */
export const shopOrigin = 'https://shop.example'
const path = '/api/purchase-widget'

export interface Served {
  /** Where its companion is mounted. */
  url: string
  /** Ends it at once. */
  kill(): Promise<void>
}

export async function serve(
  { command: [program, ...args] }: Runtime,
  { urls, credentials }: Sandbox,
  env: Record<string, string> = {},
): Promise<Served> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: workerd is a process of the program's, and would outlive it.
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      STORE: 'memory',
      PURCHASE_COMPANION_URL: shopOrigin + path,
      PURCHASE_WIDGET_URL: urls.widgetUrl,
      PURCHASE_WIDGET_API_URL: urls.widgetApiUrl,
      PURCHASE_BASE_URL: urls.baseUrl,
      PURCHASE_API_KEY: credentials.apiKey,
      PURCHASE_SECRET_KEY: credentials.secretKey,
      ...env,
    },
  })
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await ended
  }
  return { url: (await addressOf(child)) + path, kill }
}

/** Its first line says where it listens. */
function addressOf(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk
      const address = /^at (\S+)$/m.exec(output)?.[1]
      if (address) resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`It ended before it listened:\n${output}`)))
  })
}

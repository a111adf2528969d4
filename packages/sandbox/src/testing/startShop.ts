/** Starts the merchant's own server for a test, as its developer starts it, with a sandbox for a service. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentOf } from '../environment.ts'
import type { SandboxOptions } from '../options.ts'
import { startTestSandbox, type TestSandbox } from './control.ts'

export interface ShopOptions {
  /** Starts the server, as in a terminal: `node server.ts`. It must listen on the port that `PORT` names. */
  command: string
  /** Folder that the command runs in. Default: the present one. */
  cwd?: string
  /** Path of the companion on the server, for `PURCHASE_COMPANION_URL`. Default: `/api/purchase-widget`. */
  companion?: string
  /** Environment beside the present one, the sandbox's addresses and keys, `PORT` and `PURCHASE_COMPANION_URL`. */
  env?: Readonly<Record<string, string>>
  /** Path to which the sandbox sends webhooks: `/api/purchase-widget/webhook`. Default: it sends none. */
  webhook?: string
}

export interface Shop {
  /** Where it answers: `http://localhost:` and its port. */
  url: string
  /** What it has written so far. */
  output(): string
  /** Ends it. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts a sandbox, then the merchant's server on a free port, and waits until it answers.
 *
 * @param patienceMs How long the server has to answer. Default: 30 seconds.
 * @throws Error with what the server has written, at once when it ends, and when it does not answer in time.
 */
export async function startShop(
  shop: ShopOptions,
  options: SandboxOptions = {},
  patienceMs = 30_000,
): Promise<{ sandbox: TestSandbox; shop: Shop }> {
  const { port, release } = await holdFreePort()
  const url = `http://localhost:${port}`
  const sandbox = await startTestSandbox(
    withWebhook(options, shop.webhook && `${url}${shop.webhook}`),
  ).finally(release)
  try {
    const env = {
      ...environmentOf(sandbox),
      PORT: String(port),
      PURCHASE_COMPANION_URL: url + (shop.companion ?? '/api/purchase-widget'),
    }
    return { sandbox, shop: await start(shop, url, env, patienceMs) }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

/** In the seed, so that a reset does not forget it. */
const withWebhook = (options: SandboxOptions, webhook: string | undefined): SandboxOptions =>
  webhook
    ? { ...options, seed: { ...options.seed, webhooks: [...(options.seed?.webhooks ?? []), webhook] } }
    : options

async function start(
  options: ShopOptions,
  url: string,
  env: Record<string, string>,
  patienceMs: number,
): Promise<Shop> {
  const { command, cwd } = options
  // In a group of its own: the shell would not pass a signal on to the server.
  const child = spawn(command, {
    shell: true,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, ...options.env },
    ...(cwd && { cwd }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const kill = (): void => killGroup(child)
  process.once('exit', kill)
  const close = async (): Promise<void> => {
    process.off('exit', kill)
    if (hasEnded(child)) return
    kill()
    await once(child, 'exit')
  }
  if (await answers(url, child, patienceMs)) return { url, output: () => output, close }
  const happened = hasEnded(child)
    ? 'has ended, and does not answer'
    : `has not answered within ${patienceMs / 1000} s`
  await close()
  throw new Error(`"${command}" ${happened} at ${url}, which PORT names. It wrote:\n${output}`)
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function answers(url: string, child: ChildProcess, patienceMs: number): Promise<boolean> {
  const until = Date.now() + patienceMs
  while (!hasEnded(child) && Date.now() < until) {
    const answer = await fetch(url, { redirect: 'manual' }).catch(() => null)
    await answer?.body?.cancel()
    // Another program may have taken the port: then the server has ended, and that is who answers.
    if (answer) return !hasEnded(child)
    await sleep(50)
  }
  return false
}

function killGroup(child: ChildProcess): void {
  if (hasEnded(child) || child.pid === undefined) return
  if (process.platform === 'win32') child.kill()
  else process.kill(-child.pid, 'SIGKILL')
}

/** Held on every address until it is released, or the sandbox might get it for one of its own servers. */
async function holdFreePort(): Promise<{ port: number; release: () => Promise<void> }> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  const release = async (): Promise<void> => {
    server.close()
    await once(server, 'close')
  }
  if (address === null || typeof address === 'string') throw new Error('No free port.')
  return { port: address.port, release }
}

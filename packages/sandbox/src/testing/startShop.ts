/** Starts the merchant's own server for a test, as its developer starts it, with a sandbox as the service. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentOf } from '../environment.ts'
import type { SandboxOptions } from '../options.ts'
import { startTestSandbox, type TestSandbox } from './control.ts'

export interface ShopOptions {
  /** Shell command that starts the server: `node server.ts`. The server must listen on the port in `PORT`. */
  command: string
  /** Working directory of the command. Default: the current one. */
  cwd?: string
  /** Path of the companion on the server, for `PURCHASE_COMPANION_URL`. Default: `/api/purchase-widget`. */
  companion?: string
  /** Environment in addition to the current one, the sandbox's addresses and keys, `PORT` and `PURCHASE_COMPANION_URL`. */
  env?: Readonly<Record<string, string>>
  /** Path to which the sandbox sends webhooks: `/api/purchase-widget/webhook`. Default: it sends none. */
  webhook?: string
}

export interface Shop {
  /** Its address: `http://localhost:` and the port. */
  url: string
  /** Its output so far. */
  output(): string
  /** Stops it. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts a sandbox, then the merchant's server on a free port, and waits until the server responds.
 *
 * @param timeoutMs Milliseconds to wait for the server's first response. Default: 30 seconds.
 * @throws Error with the server's output, as soon as the server exits or when it does not respond in time.
 */
export async function startShop(
  shop: ShopOptions,
  options: SandboxOptions = {},
  timeoutMs = 30_000,
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
    return { sandbox, shop: await start(shop, url, env, timeoutMs) }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

/** Adds the webhook to the seed, so that a reset keeps it. */
const withWebhook = (options: SandboxOptions, webhook: string | undefined): SandboxOptions =>
  webhook
    ? { ...options, seed: { ...options.seed, webhooks: [...(options.seed?.webhooks ?? []), webhook] } }
    : options

async function start(
  options: ShopOptions,
  url: string,
  env: Record<string, string>,
  timeoutMs: number,
): Promise<Shop> {
  const { command, cwd } = options
  // In its own process group: the shell would not forward a signal to the server.
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
  child.once('error', ({ message }) => {
    output += `${message} in ${cwd ?? process.cwd()}`
  })
  const kill = (): void => killGroup(child)
  process.once('exit', kill)
  const watchdog = watch(child)
  child.once('exit', () => {
    process.off('exit', kill)
    // Also ends what the shell started and did not wait for.
    kill()
    watchdog?.kill()
  })
  const close = async (): Promise<void> => {
    if (hasEnded(child)) return
    kill()
    await once(child, 'exit')
  }
  if (await answers(url, child, timeoutMs)) return { url, output: () => output, close }
  const happened = hasEnded(child)
    ? 'has ended, and does not answer'
    : `has not answered within ${timeoutMs / 1000} s`
  await close()
  throw new Error(`"${command}" ${happened} at ${url}, which PORT names. It wrote:\n${output}`)
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function answers(url: string, child: ChildProcess, timeoutMs: number): Promise<boolean> {
  const until = Date.now() + timeoutMs
  while (!hasEnded(child) && Date.now() < until) {
    const signal = AbortSignal.timeout(Math.max(0, until - Date.now()))
    const answer = await fetch(url, { redirect: 'manual', signal }).catch(() => null)
    await answer?.body?.cancel()
    // Another program may have taken the port and sent this response: then the server has exited.
    if (answer) return !hasEnded(child)
    await sleep(50)
  }
  return false
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  if (process.platform === 'win32') child.kill()
  else
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The whole group has ended.
    }
}

/** Kills the server when this process ends without the event `exit`, as after Ctrl-C: then the input of the started program ends. */
function watch({ pid }: ChildProcess): ChildProcess | undefined {
  if (process.platform === 'win32' || pid === undefined) return undefined
  const script = `process.stdin.resume().once('end', () => process.kill(-${pid}, 'SIGKILL'))`
  return spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    // Without options for this process, such as those of a debugger.
    env: {},
  })
}

/** Holds the port on every address until it is released; otherwise the sandbox could get it for one of its own servers. */
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

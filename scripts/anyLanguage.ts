/** Starts the shops of examples/any-language as their first lines say, with `purchase-widget serve` and a proxy, on free ports. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './freePort.ts'

const root = join(import.meta.dirname, '..')
const examples = join(root, 'examples', 'any-language')

export interface Language {
  readonly name: string
  /** The shop's file, whose first lines say how it is started. */
  readonly file: string
  readonly program: string
  readonly proxy: 'nginx' | 'caddy'
}

export const languages: readonly Language[] = [
  { name: 'PHP', file: 'shop.php', program: 'php', proxy: 'nginx' },
  { name: 'Python', file: 'shop.py', program: 'python3', proxy: 'caddy' },
  { name: 'Ruby', file: 'shop.ru', program: 'rackup', proxy: 'nginx' },
  { name: 'Go', file: 'shop.go', program: 'go', proxy: 'caddy' },
]

/** A machine may lack a language or a proxy; with `ENGINES=all` none may be missing. */
export const isMissing = ({ program, proxy }: Language): boolean =>
  process.env.ENGINES !== 'all' &&
  [program, proxy].some((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)

export interface Started {
  /** What it has printed. */
  readonly output: () => string
  readonly stop: () => Promise<void>
}

export interface AnyShop {
  /** Where the proxy answers. */
  readonly url: string
  /** Where the shop itself answers, also to what the proxy keeps away. */
  readonly hooks: string
  readonly shop: Started
  /** Kills the shop and starts it again on the same port, with the same data. */
  restart(): Promise<void>
  /** What the shop and the service have printed. */
  output(): string
  stop(): Promise<void>
}

export interface AnyShopOptions {
  language: Language
  /** Empty; the shop's data and the configuration are kept in it. */
  folder: string
  /** The service's addresses and keys. */
  env: Readonly<Record<string, string>>
  /** What stands between `serve` and the shop's hooks, given the shop's address. */
  between?: (shop: string) => Promise<string>
}

export async function startAnyShop({ language, folder, env, between }: AnyShopOptions): Promise<AnyShop> {
  const [shopPort, servePort, proxyPort] = await Promise.all([freePort(), freePort(), freePort()])
  const hooks = (await between?.(`http://127.0.0.1:${shopPort}`)) ?? `http://127.0.0.1:${shopPort}`
  for (const file of [language.file, 'purchase-widget.json', 'nginx.conf', 'Caddyfile']) {
    const text = readFileSync(join(examples, file), 'utf8')
    // What stands between may hang: the deadline of a delivery is short then.
    const onPorts =
      between && file === 'purchase-widget.json'
        ? text.replace('/order"', '/order", "timeoutMs": 2000')
        : text
    const toHooks =
      file === 'purchase-widget.json' ? onPorts.replaceAll('http://127.0.0.1:8000', hooks) : onPorts
    writeFileSync(
      join(folder, file),
      toHooks
        .replaceAll('8000', `${shopPort}`)
        .replaceAll('3100', `${servePort}`)
        .replaceAll('8080', `${proxyPort}`),
    )
  }
  const secrets = {
    PURCHASE_HOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    SESSION_SECRET: 'a secret for sessions, of as many bytes as rack-session asks for: 64',
    DATABASE: join(folder, 'shop-data'),
    PORT: `${shopPort}`,
  }
  const command = commandOf(join(folder, language.file))
  const startShop = (): Promise<Started> => start(command, folder, secrets, shopPort)
  const cli = `"${process.execPath}" "${join(root, 'packages/server/src/cli/main.ts')}"`
  const proxyCommand = commandOf(join(folder, language.proxy === 'nginx' ? 'nginx.conf' : 'Caddyfile'))
  let [shop, ...others] = await Promise.all([
    startShop(),
    start(`${cli} serve --config purchase-widget.json`, folder, { ...secrets, ...env }, servePort),
    start(proxyCommand, folder, {}, proxyPort),
  ])
  return {
    url: `http://localhost:${proxyPort}`,
    hooks: `http://127.0.0.1:${shopPort}`,
    get shop() {
      return shop
    },
    async restart() {
      await shop.stop()
      shop = await startShop()
    },
    output: () => [shop, ...others].map(({ output }) => output()).join('\n'),
    async stop() {
      await Promise.all([shop, ...others].map(({ stop }) => stop()))
    },
  }
}

/** What a file's first lines print after "Start it with" or "As an ordinary user". */
function commandOf(file: string): string {
  const [lines = ''] = readFileSync(file, 'utf8').match(/^(.*\n){2}/) ?? []
  const command = /(?:Start it with|As an ordinary user): (.+?)(?:""")?$/m.exec(lines)?.[1]
  if (command === undefined) throw new Error(`${file} does not say how it is started.`)
  return command
}

/** Runs a command in a process group of its own until its port answers. */
export async function start(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  port: number,
): Promise<Started> {
  mkdirSync(join(cwd, 'home'), { recursive: true })
  const child = spawn('sh', ['-c', `exec ${command}`], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: join(cwd, 'home'), GOCACHE: join(root, '.cache', 'go'), ...env },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk))
  const exit = once(child, 'exit')
  await untilItAnswers(child, port, () => `${command} ended:\n${printed}`)
  return {
    output: () => printed,
    async stop() {
      if (child.pid && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGKILL')
      await exit
    },
  }
}

async function untilItAnswers(child: ChildProcess, port: number, ended: () => string): Promise<void> {
  const answers = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${port}/`).catch(() => null)) !== null
  while (!(await answers())) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(ended())
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

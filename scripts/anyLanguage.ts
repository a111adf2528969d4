/** Starts the shops in examples/any-language as their first lines say, with `purchase-widget serve` and a proxy, on free ports. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answers, freePort, type Running, start as startProcess } from './processes.ts'

const root = join(import.meta.dirname, '..')
const examples = join(root, 'examples', 'any-language')

export interface Language {
  readonly name: string
  /** The shop's file, whose first lines say how to start it. */
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

/** A machine may lack a language or a proxy, except with `ENGINES=all`. */
export const isMissing = ({ program, proxy }: Language): boolean =>
  process.env.ENGINES !== 'all' &&
  [program, proxy].some((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)

export interface AnyShop {
  /** The proxy's address. */
  readonly url: string
  /** The shop's own address, which also accepts requests that the proxy blocks. */
  readonly hooks: string
  readonly shop: Running
  /** Kills the shop and starts it again on the same port, with the same data. */
  restart(): Promise<void>
  /** The output of the shop and the service. */
  output(): string
  stop(): Promise<void>
}

export interface AnyShopOptions {
  language: Language
  /** An empty folder for the shop's data and the configuration. */
  folder: string
  /** The service's addresses and keys. */
  env: Readonly<Record<string, string>>
  /** Starts an intermediary between `serve` and the shop's hooks, given the shop's address. */
  between?: (shop: string) => Promise<string>
}

export async function startAnyShop({ language, folder, env, between }: AnyShopOptions): Promise<AnyShop> {
  const [shopPort, servePort, proxyPort] = await Promise.all([freePort(), freePort(), freePort()])
  const hooks = (await between?.(`http://127.0.0.1:${shopPort}`)) ?? `http://127.0.0.1:${shopPort}`
  for (const file of [language.file, 'purchase-widget.json', 'nginx.conf', 'Caddyfile']) {
    let text = readFileSync(join(examples, file), 'utf8')
    if (file === 'purchase-widget.json') {
      text = text.replaceAll('http://127.0.0.1:8000', hooks)
      // The intermediary may hang, so the delivery timeout is short.
      if (between) text = text.replace('/order"', '/order", "timeoutMs": 2000')
    }
    const ports = { 8000: shopPort, 3100: servePort, 8080: proxyPort }
    for (const [written, port] of Object.entries(ports)) text = text.replaceAll(written, `${port}`)
    writeFileSync(join(folder, file), text)
  }
  const secrets = {
    PURCHASE_HOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    SESSION_SECRET: 'a secret for sessions, of as many bytes as rack-session asks for: 64',
    DATABASE: join(folder, 'shop-data'),
    PORT: `${shopPort}`,
  }
  const command = commandOf(join(folder, language.file))
  const startShop = (): Promise<Running> => start(command, folder, secrets, shopPort)
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

/** The command in a file's first lines after "Start it with" or "As an ordinary user". */
function commandOf(file: string): string {
  const [lines = ''] = readFileSync(file, 'utf8').match(/^(.*\n){2}/) ?? []
  const command = /(?:Start it with|As an ordinary user): (.+?)(?:""")?$/m.exec(lines)?.[1]
  if (command === undefined) throw new Error(`${file} does not say how it is started.`)
  return command
}

/** Runs a command, and waits until its port responds. */
export function start(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  port: number,
): Promise<Running> {
  const home = join(cwd, 'home')
  mkdirSync(home, { recursive: true })
  const own = { HOME: home, GOCACHE: join(root, '.cache', 'go'), ...env }
  const isUp = () => answers(`http://127.0.0.1:${port}/`)
  return startProcess('sh', ['-c', `exec ${command}`], { cwd, env: own }, isUp)
}

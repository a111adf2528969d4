/** Maps command-line options, each with an environment variable as fallback, to the options of `createSandbox`. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { anyAddress } from './loopback.ts'
import type { SandboxOptions } from './options.ts'
import type { Seed } from './state/state.ts'

export type Format = 'text' | 'json' | 'env'

export interface Command {
  options: SandboxOptions
  /** How it prints its addresses. */
  format: Format
}

export const help = `Usage: purchase-widget-sandbox [options]

Runs the whole purchase service on localhost until you press Ctrl-C.

  --port N                 port of the API and the control plane (default 4010; 0 for a free one)
  --widget-port N          port of the widget page (default 4011; 0 for a free one)
  --host ADDRESS           address to listen on (default 127.0.0.1; with 0.0.0.0 also set the public URLs)
  --api-public-url URL     public URL of the API, if other than host and port
  --widget-public-url URL  public URL of the widget page
  --api-key KEY            the business’s keys (default: those of the database, or new ones)
  --secret-key KEY
  --db FILE                keep everything in an SQLite file (default: in memory)
  --seed FILE              users, purchases and switches to start with, as JSON
  --webhook URL            send webhooks there, the toolkit’s key in the path
  --webhook-host HOST      host other than localhost to which webhooks may be sent; repeatable
  --json                   print the addresses and keys as one line of JSON
  --env                    print them as lines for a server’s .env
  --help                   show this

Each option with a value is also read from the environment: --widget-port from
PURCHASE_SANDBOX_WIDGET_PORT, and so on. Separate a list of hosts with commas.`

/** `widget-port` is `PURCHASE_SANDBOX_WIDGET_PORT`. */
const variableOf = (name: string): string => `PURCHASE_SANDBOX_${name.toUpperCase().replaceAll('-', '_')}`

/**
 * Returns null for `--help`.
 *
 * @throws Error naming the invalid option.
 */
export function readCommand(args: string[], env: Record<string, string | undefined>): Command | null {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string' },
      'widget-port': { type: 'string' },
      host: { type: 'string' },
      'api-public-url': { type: 'string' },
      'widget-public-url': { type: 'string' },
      'api-key': { type: 'string' },
      'secret-key': { type: 'string' },
      db: { type: 'string' },
      seed: { type: 'string' },
      webhook: { type: 'string' },
      'webhook-host': { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      env: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const given = (
    name: Exclude<keyof typeof values, 'webhook-host' | 'json' | 'env' | 'help'>,
  ): string | undefined => values[name] || env[variableOf(name)] || undefined
  const seed = given('seed')
  return {
    format: values.json ? 'json' : values.env ? 'env' : 'text',
    options: {
      port: portOf('--port', given('port') ?? '4010'),
      widgetPort: portOf('--widget-port', given('widget-port') ?? '4011'),
      host: given('host'),
      apiPublicUrl: given('api-public-url'),
      widgetPublicUrl: given('widget-public-url'),
      apiKey: given('api-key'),
      secretKey: given('secret-key'),
      db: given('db'),
      webhook: given('webhook'),
      webhookHosts: values['webhook-host'] ?? listOf(env[variableOf('webhook-host')]),
      // Not validated here; createSandbox checks all options.
      seed: seed ? (readJsonFile(seed) as Seed) : undefined,
    },
  }
}

/** A startup hint for users who expect requests from other machines: with `0.0.0.0` alone, only localhost names are served. */
export function hintFor({ host = '', apiPublicUrl, widgetPublicUrl }: SandboxOptions): string | undefined {
  if (!anyAddress.includes(host) || (apiPublicUrl && widgetPublicUrl)) return undefined
  return `The sandbox listens on every address, but serves only requests for localhost. For other machines, use --host ADDRESS with this machine’s own address, or --api-public-url and --widget-public-url.`
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

function portOf(option: string, text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536 && text.trim() !== '') return port
  throw new Error(`${option} must be a number from 0 to 65535, not "${text}".`)
}

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The seed ${file} can't be read: ${reason}`, { cause })
  }
}

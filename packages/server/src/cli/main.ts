/** `purchase-widget`: the command-line interface. */
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { clientFromEnv, type PurchaseClient } from '../client/createPurchaseClient.ts'
import { CALLS_MS } from '../doctor/checkup.ts'
import { PurchaseError } from '../errors.ts'
import { ConfigurationError } from '../serve/configurationError.ts'
import { printable } from '../unknown.ts'
import { type Command, options, type Report } from './command.ts'
import { deadLetters } from './deadLetters.ts'
import { doctor } from './doctor.ts'
import { serve } from './serve.ts'

const help = `Usage: purchase-widget <command> [options]

  doctor   checks credentials, service and widget page; exits 1 when something fails
           --no-token              create no access token (a new one may end those of open widgets)
           --companion URL         check your companion, where it is mounted
           --order ID              say how a purchase's id comes back on this order
           --module ./companion.ts   check the store that it exports
           --serve FILE            check the hooks that this configuration of serve names, and nothing else

  dead-letters list            orders that could not be handled
  dead-letters redrive [KEY]   tries one again, or all
           --module ./companion.ts   your own module that exports companion, and starts nothing
           --config FILE             the configuration of serve, which may run meanwhile

  serve        runs the companion beside a shop in any language, until it is asked to stop
           --config FILE   its configuration, e.g. purchase-widget.json; serve.schema.json in this package describes it
           --check         name every mistake in the configuration and the environment, call nobody, and stop

  --json          JSON for scripts

Reads PURCHASE_WIDGET_URL, PURCHASE_WIDGET_API_URL, PURCHASE_BASE_URL, PURCHASE_API_KEY, PURCHASE_SECRET_KEY and, when it
differs, PURCHASE_USER_BASE_URL from the environment, or from the file .env; PURCHASE_COMPANION_URL, where your companion is; and in
development PURCHASE_PLAIN_HTTP_HOSTS.`

const commands = new Map<string, Command>(Object.entries({ doctor, 'dead-letters': deadLetters, serve }))

try {
  process.exitCode = await main()
} catch (error) {
  // Messages of this package and of parseArgs hold no values of secrets; stacks are of no use here.
  if (error instanceof PurchaseError) console.error(printable(error.message))
  else if (isUsageError(error)) console.error(error.message)
  else throw error
  process.exitCode = 1
}
// A handle that the merchant's module has opened, or an abandoned call, must not keep the process alive.
setTimeout(() => process.exit(), 1_000).unref()

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const [name = '', ...words] = positionals
  const command = words.length === 0 || name === 'dead-letters' ? commands.get(name) : undefined
  if (values.help || positionals.length === 0) {
    console.log(help)
    return values.help ? 0 : 1
  }
  if (!command) {
    console.error(`There is no command "${positionals.join(' ')}". purchase-widget --help lists them.`)
    return 1
  }
  // A Python shop may have its virtual environment in a folder of this name.
  if (statSync('.env', { throwIfNoEntry: false })?.isDirectory() === false) process.loadEnvFile()
  // A call that continues after the doctor has abandoned it would keep the process alive.
  const client = (): PurchaseClient => clientFromEnv(process.env, { timeoutMs: CALLS_MS })
  const report = await command({ client, flags: values, words }).catch(mistakesOf)
  if (values.json || report.text)
    console.log(values.json ? printable(JSON.stringify(report.data)) : report.text)
  return report.ok ? 0 : 1
}

/** The mistakes in a configuration of `serve`, a line for each. */
function mistakesOf(error: unknown): Report {
  if (!(error instanceof ConfigurationError)) throw error
  const text = error.message.split('\n').map(printable).join('\n')
  return { data: { ok: false, mistakes: error.mistakes }, text, ok: false }
}

function isUsageError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

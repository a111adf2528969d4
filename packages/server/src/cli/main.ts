#!/usr/bin/env node
/** `purchase-widget`: the service for a person at a terminal. */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { commands } from './commands.ts'
import { clientFromEnv } from '../client/createPurchaseClient.ts'
import { CALLS_MS } from '../doctor/runDoctor.ts'
import { PurchaseError } from '../errors.ts'

const help = `Usage: purchase-widget <command> [options]

  doctor   checks credentials, service and widget page; exits 1 when something fails
           --no-token              create no access token (a new one may end those of open widgets)
  token    creates an access token and says when it expires; may end the one before it
           --days 7|30|180|365|infinite   default 7
  orders   lists orders; creates an access token
           --order-id ID  --custom-id ID  --all
  order    shows one order
           --order-id ID  --custom-id ID  --hash HASH
  user     shows a user's status and limits
           --user-id ID  --email ADDRESS

  --json          JSON for scripts
  --show FIELD    print a field that is secret or personal, e.g. --show accessToken, --show email

Reads PURCHASE_WIDGET_URL, PURCHASE_WIDGET_API_URL, PURCHASE_BASE_URL, PURCHASE_API_KEY, PURCHASE_SECRET_KEY and, when it
differs, PURCHASE_USER_BASE_URL from the environment, or from the file .env.`

try {
  process.exitCode = await main()
} catch (error) {
  // Messages of this package and of parseArgs hold no values of secrets; stacks are of no use here.
  if (!(error instanceof PurchaseError) && !isUsageError(error)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      days: { type: 'string' },
      'order-id': { type: 'string' },
      'custom-id': { type: 'string' },
      'user-id': { type: 'string' },
      email: { type: 'string' },
      hash: { type: 'string' },
      all: { type: 'boolean' },
      'no-token': { type: 'boolean' },
      show: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [name = '', ...rest] = positionals
  const command = Object.hasOwn(commands, name) && rest.length === 0 ? commands[name] : undefined
  if (values.help || !command) {
    console.log(help)
    return values.help ? 0 : 1
  }
  if (existsSync('.env')) process.loadEnvFile()
  const { json, ...flags } = values
  // A call that goes on after the doctor has given it up would keep the process.
  const client = clientFromEnv(process.env, name === 'doctor' ? { timeoutMs: CALLS_MS } : {})
  const report = await command(client, flags)
  console.log(json ? JSON.stringify(report.data) : report.text)
  return report.ok ? 0 : 1
}

function isUsageError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

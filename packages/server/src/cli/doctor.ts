/** `doctor`: runs the checks, and prints the headers and the webhook address to set up. */

import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { isLoopback } from '../client/settings.ts'
import { checkUrl, companionUrlVariable, configuredUrl } from '../companion/place.ts'
import { within } from '../deadline.ts'
import { CALLS_MS, type Checkup } from '../doctor/checkup.ts'
import { type Diagnosis, runDoctor } from '../doctor/runDoctor.ts'
import { InvalidInputError } from '../errors.ts'
import { API_KEY, SECRET_KEY } from '../mistakes.ts'
import type { Store } from '../stores/store.ts'
import { isObject } from '../unknown.ts'
import { type Cell, type Command, dim, loadModule, type Report, table } from './command.ts'

export const doctor: Command = async ({ client: clientOf, flags }) => {
  if (flags.serve !== undefined) return checkServe(flags.serve)
  const client = clientOf()
  const diagnosis = await runDoctor({
    client,
    createTokens: !flags['no-token'],
    companion: flags.companion,
    orderId: flags.order,
    store: flags.module === undefined ? undefined : await storeOf(flags.module),
  })
  const lines = Object.entries(diagnosis.pageNeeds).map(([header, value]) => `  ${header}: ${value}`)
  const text = [
    table(diagnosis.checks.flatMap(rowsOf)),
    '',
    'Your page also needs:',
    ...lines,
    '',
    "The companion's return page sets its own frame-ancestors: let nothing replace its Content-Security-Policy",
    'or add Cross-Origin-Opener-Policy to it.',
    '',
    ...webhookLines(diagnosis, flags.companion, client),
  ].join('\n')
  return { data: diagnosis, text, ok: diagnosis.healthy }
}

/** The modules of `serve` are loaded for this option alone. */
async function checkServe(path: string): Promise<Report> {
  const { readSettings } = await import('../serve/settings.ts')
  const { checkHooks } = await import('../serve/checkHooks.ts')
  const checks = await checkHooks(readSettings(path))
  const ok = checks.every(({ result }) => result !== 'failed')
  return { data: { checks, healthy: ok }, text: table(checks.flatMap(rowsOf)), ok }
}

const marks = {
  ok: { text: 'ok', style: 'green' },
  note: { text: 'note', style: 'yellow' },
  failed: { text: 'failed', style: 'red' },
  skipped: dim('skipped'),
} as const satisfies Record<Checkup['result'], Cell>

/** A failed check has a second row: the setting and its address, unless the detail names them already, and the remedy. */
function rowsOf(check: Checkup): Cell[][] {
  const row = [marks[check.result], check.name, check.detail]
  if (check.result !== 'failed') return [row]
  const { setting, address, remedy, detail } = check
  const where = detail.includes(setting) ? '' : `${setting}${address === null ? '' : ` (${address})`}: `
  return [row, ['', '', where + remedy]]
}

/** @throws InvalidInputError when the merchant's module exports none. */
async function storeOf(path: string): Promise<Store> {
  const late = new InvalidInputError('--module', `${path} cannot be loaded within ${CALLS_MS / 1_000} s.`)
  const { store } = await within(CALLS_MS, loadModule(path), late)
  // Created by one of this package's functions, as far as can be checked.
  if (isObject(store) && 'forgets' in store) return store as unknown as Store
  throw new InvalidInputError(
    '--module',
    `${path} exports no store: export const store, made with sqliteStore, postgresStore or another of this package.`,
  )
}

/** @param given value of `--companion`. */
function webhookLines(
  { checks, webhookPath }: Diagnosis,
  given: string | undefined,
  { addresses }: PurchaseClient,
): string[] {
  const address = given ?? configuredUrl()
  const settings = [API_KEY, SECRET_KEY, 'url', given === undefined ? companionUrlVariable : '--companion']
  const isWrong = checks.some((check) => check.result === 'failed' && settings.includes(check.setting))
  if (address === '' || isWrong) {
    return [
      "The address to register for webhooks is made from your keys and the companion's address: fix those, or give",
      '--companion URL, and run the doctor again.',
    ]
  }
  if (isHere(address) && !isHere(addresses.baseUrl)) {
    return [
      'The service cannot reach a companion on localhost: register the address of your shop as it is deployed.',
      'Until then orders are found without a webhook: when a shopper returns, and by reconciling, every five minutes.',
    ]
  }
  return [
    'Register this address for webhooks, and keep it to yourself:',
    `  ${checkUrl(address)}${webhookPath}`,
  ]
}

const isHere = (address: string): boolean => isLoopback(new URL(address).hostname)

/** `doctor`: checks, and what to write where. */
import type { Checkup } from '../doctor/checkup.ts'
import { runDoctor } from '../doctor/runDoctor.ts'
import { CALLS_MS } from '../doctor/visit.ts'
import { InvalidInputError } from '../errors.ts'
import type { Store } from '../stores/store.ts'
import { within } from '../within.ts'
import { loadModule } from './module.ts'
import type { Command, Report } from './report.ts'
import { withMistakes } from './serve.ts'
import { storeIn } from './store.ts'
import { type Cell, dim, table } from './table.ts'
import { webhookLines } from './webhookLines.ts'

export const doctor: Command = async ({ client: clientOf, flags }) => {
  if (flags.serve !== undefined) return checkServe(flags.serve)
  const client = clientOf()
  const diagnosis = await runDoctor({
    client,
    createTokens: !flags['no-token'],
    companion: flags.companion,
    page: flags.page,
    orderId: flags.order,
    store: flags.module === undefined ? undefined : storeOf(flags.module),
  })
  const lines = Object.entries(diagnosis.pageNeeds).map(([header, value]) => `  ${header}: ${value}`)
  const text = [
    table(diagnosis.checks.flatMap(rowsOf)),
    '',
    'Your page needs, beside what it has:',
    ...lines,
    '',
    "The companion's return page sets its own frame-ancestors: let nothing replace its Content-Security-Policy",
    'or add Cross-Origin-Opener-Policy to it.',
    '',
    ...webhookLines(diagnosis, flags.companion, client),
  ].join('\n')
  return { data: diagnosis, text, ok: diagnosis.healthy }
}

/** Loaded by this option alone, as by `serve`. */
async function checkServe(path: string): Promise<Report> {
  const { readSettings } = await import('../serve/settings.ts')
  const { checkHooks } = await import('../serve/checkHooks.ts')
  return withMistakes(async () => {
    const checks = await checkHooks(readSettings(path, process.env))
    const ok = checks.every(({ result }) => result !== 'failed')
    return { data: { checks, healthy: ok }, text: table(checks.flatMap(rowsOf)), ok }
  })
}

const marks = {
  ok: { text: 'ok', style: 'green' },
  note: { text: 'note', style: 'yellow' },
  failed: { text: 'failed', style: 'red' },
  skipped: dim('skipped'),
} as const satisfies Record<Checkup['result'], Cell>

/** What failed has a second row: what to look at, where it leads, and what to do. */
function rowsOf(check: Checkup): Cell[][] {
  const row = [marks[check.result], check.name, check.detail]
  if (check.result !== 'failed') return [row]
  const { setting, address, remedy } = check
  return [row, ['', '', `${setting}${address === null ? '' : ` (${address})`}: ${remedy}`]]
}

async function storeOf(path: string): Promise<Store> {
  const module = await within(CALLS_MS, loadModule(path)).catch((error: unknown) => {
    if (error instanceof InvalidInputError) throw error
    throw new InvalidInputError('--module', `${path} cannot be loaded within ${CALLS_MS / 1_000} s.`)
  })
  return storeIn(module, path)
}

/** `doctor`: checks, and what to write where. */
import { styleText } from 'node:util'
import { runDoctor } from '../doctor/runDoctor.ts'
import type { Checkup } from '../doctor/visit.ts'
import { loadModule } from './module.ts'
import type { Command } from './report.ts'
import { storeIn } from './store.ts'
import { table } from './table.ts'

export const doctor: Command = async ({ client, flags }) => {
  const diagnosis = await runDoctor({
    client: client(),
    createTokens: !flags['no-token'],
    companion: flags.companion,
    orderId: flags.order,
    store: flags.module === undefined ? undefined : storeIn(await loadModule(flags.module)),
  })
  const lines = Object.entries(diagnosis.pageNeeds).map(([header, value]) => `  ${header}: ${value}`)
  const companion = flags.companion ?? process.env.PURCHASE_COMPANION_URL ?? '<address of your companion>'
  const text = [
    table(diagnosis.checks.map(({ name, result, detail }) => [mark(result), name, detail])),
    '',
    'Your page needs, beside what it has:',
    ...lines,
    '',
    "The companion's return page sets its own frame-ancestors: let nothing replace its Content-Security-Policy",
    'or add Cross-Origin-Opener-Policy to it.',
    '',
    'Register this address for webhooks, and keep it to yourself:',
    `  ${companion}${diagnosis.webhookPath}`,
  ].join('\n')
  return { data: diagnosis, text, ok: diagnosis.healthy }
}

function mark(result: Checkup['result']): string {
  switch (result) {
    case 'ok':
      return styleText('green', 'ok')
    case 'note':
      return styleText('yellow', 'note')
    case 'failed':
      return styleText('red', 'failed')
    case 'skipped':
      return styleText('dim', 'skipped')
  }
}

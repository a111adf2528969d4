/** `serve`: the companion beside a shop in any language. */
import { once } from 'node:events'
import { InvalidInputError } from '../errors.ts'
import type { Settings } from '../serve/settings.ts'
import { printable } from '../unknown.ts'
import type { Command, Report } from './command.ts'

export const serve: Command = async ({ flags }) => {
  const { config, check } = flags
  if (config === undefined)
    throw new InvalidInputError('serve', 'name the configuration file, e.g. --config purchase-widget.json.')
  // Loaded by this command alone: the others start faster without it.
  const { readSettings } = await import('../serve/settings.ts')
  return withMistakes(async () => {
    const settings = readSettings(config)
    if (!check) return runUntilStopped(settings)
    return { data: { ok: true, mistakes: [] }, text: `${config} is right.`, ok: true }
  })
}

/** Reports the mistakes of a configuration, a line for each. */
export async function withMistakes(run: () => Promise<Report>): Promise<Report> {
  const { ConfigurationError } = await import('../serve/settings.ts')
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    const text = error.message.split('\n').map(printable).join('\n')
    return { data: { ok: false, mistakes: error.mistakes }, text, ok: false }
  }
}

async function runUntilStopped(settings: Settings): Promise<Report> {
  const { runServe } = await import('../serve/runServe.ts')
  const { createLog } = await import('../serve/log.ts')
  const service = await runServe(
    settings,
    createLog((line) => process.stdout.write(`${line}\n`)),
  )
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  await service.close()
  return { data: null, text: '', ok: true }
}

/** `serve`: the companion beside a shop in any language. */
import { once } from 'node:events'
import { InvalidInputError } from '../errors.ts'
import type { Command } from './command.ts'

export const serve: Command = async ({ flags: { config, check } }) => {
  if (config === undefined)
    throw new InvalidInputError('serve', 'name the configuration file, e.g. --config purchase-widget.json.')
  // Loaded by this command alone: the others start faster without it.
  const { readSettings } = await import('../serve/settings.ts')
  const settings = readSettings(config)
  if (check) return { data: { ok: true, mistakes: [] }, text: `${config} is right.`, ok: true }
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

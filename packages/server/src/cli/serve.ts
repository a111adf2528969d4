/** `serve`: the companion beside a shop in any language. */
import { once } from 'node:events'
import { InvalidInputError } from '../errors.ts'
import { printable } from '../printable.ts'
import type { Command } from './report.ts'

export const serve: Command = async ({ flags }) => {
  const path = flags.config
  if (path === undefined)
    throw new InvalidInputError('serve', 'name the configuration file, e.g. --config purchase-widget.json.')
  // Loaded by this command alone: the others start faster without it.
  const { readSettings } = await import('../serve/settings.ts')
  const { ConfigurationError } = await import('../serve/readJsonFile.ts')
  try {
    const settings = readSettings(path, process.env)
    if (flags.check) return { data: { ok: true, mistakes: [] }, text: `${path} is right.`, ok: true }
    return await runUntilStopped(settings)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return {
      data: { ok: false, mistakes: error.mistakes },
      text: printable(error.message).replaceAll('\\u000a', '\n'),
      ok: false,
    }
  }
}

async function runUntilStopped(settings: Parameters<typeof import('../serve/runServe.ts').runServe>[0]) {
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

/** `dead-letters list` and `dead-letters redrive`: orders that could not be handled, of the merchant's own companion or of `serve`. */
import type { Companion } from '../companion/createCompanion.ts'
import { codeOf, InvalidInputError } from '../errors.ts'
import { ConfigurationError } from '../serve/configurationError.ts'
import { DEAD_LETTERS } from '../stores/store.ts'
import { isObject } from '../unknown.ts'
import { type Command, dim, type Flags, loadModule, table } from './command.ts'

const help =
  'use: dead-letters list, or dead-letters redrive [KEY], with --module ./companion.ts, or with --config FILE of serve'

type WithDeadLetters = Pick<Companion, 'deadLetters' | 'close'>

export const deadLetters: Command = async ({ flags, words: [action, key, ...rest] }) => {
  if (rest.length > 0 || (action !== 'list' && action !== 'redrive')) throw usage()
  const opened = await open(flags)
  try {
    return action === 'list' ? await list(opened) : await redrive(opened, key)
  } finally {
    await opened.close()
  }
}

const usage = (): InvalidInputError => new InvalidInputError('dead-letters', help)

async function open({ module, config }: Flags): Promise<WithDeadLetters> {
  if (module !== undefined && config === undefined) return companionIn(await loadModule(module))
  if (config !== undefined && module === undefined) return storeOfServe(config)
  throw usage()
}

/** The store alone: the service that runs, or the next one, handles what is put back. */
async function storeOfServe(config: string): Promise<WithDeadLetters> {
  // The modules of `serve` are loaded for this option alone.
  const { readSettings } = await import('../serve/settings.ts')
  const { askStore, openStore } = await import('../serve/openStore.ts')
  const settings = readSettings(config)
  const store = await openStore(settings, () => {})
  await askStore(store).catch((error: unknown) => {
    const reason = codeOf(error) ?? 'no answer'
    throw new ConfigurationError([settings.mistakeAt(['store'], `cannot be reached (${reason}).`)])
  })
  return {
    deadLetters: {
      list: () => store.jobs.deadLetters(DEAD_LETTERS),
      redrive: (key) => store.jobs.redrive(key),
    },
    close: () => store.close(),
  }
}

const list = async (companion: WithDeadLetters): ReturnType<Command> => {
  const letters = await companion.deadLetters.list(DEAD_LETTERS)
  const rows = letters.map(({ key, reason, attempts, diedAt }) => [
    key,
    new Date(diedAt).toISOString(),
    String(attempts),
    reason,
  ])
  const titles = ['key', 'given up', 'attempts', 'reason'].map(dim)
  return { data: letters, text: rows.length > 0 ? table([titles, ...rows]) : 'No dead letters.', ok: true }
}

const redrive = async (companion: WithDeadLetters, key: string | undefined): ReturnType<Command> => {
  const count = await companion.deadLetters.redrive(key)
  const isMissing = key !== undefined && count === 0
  return {
    data: { redriven: count },
    text: isMissing
      ? 'There is no such dead letter.'
      : `${count} put back. What was handled already is not done again.`,
    ok: !isMissing,
  }
}

function companionIn(module: Record<string, unknown>): Companion {
  const companion = module.companion ?? module.default
  if (isObject(companion) && 'deadLetters' in companion) return companion as unknown as Companion
  throw new InvalidInputError('dead-letters', 'the module must export companion, made with createCompanion.')
}

/** `dead-letters list` and `dead-letters redrive`: orders that could not be handled, through the merchant's own companion. */
import type { Companion } from '../companion/createCompanion.ts'
import { InvalidInputError } from '../errors.ts'
import { DEAD_LETTERS } from '../stores/store.ts'
import { isObject } from '../unknown.ts'
import { type Command, dim, loadModule, table } from './command.ts'

const help = 'use: dead-letters list, or dead-letters redrive [KEY], with --module ./companion.ts'

export const deadLetters: Command = async ({ flags, words: [action, key, ...rest] }) => {
  if (!flags.module || rest.length > 0 || (action !== 'list' && action !== 'redrive')) {
    throw new InvalidInputError('dead-letters', help)
  }
  const companion = companionIn(await loadModule(flags.module))
  try {
    return action === 'list' ? await list(companion) : await redrive(companion, key)
  } finally {
    await companion.close()
  }
}

const list = async (companion: Companion): ReturnType<Command> => {
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

const redrive = async (companion: Companion, key: string | undefined): ReturnType<Command> => {
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

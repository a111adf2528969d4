/** Loads the merchant's own module. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { InvalidInputError } from '../errors.ts'
import type { Store } from '../stores/store.ts'
import { isObject } from '../unknown.ts'

/** @throws InvalidInputError when it cannot be loaded, with the first line of what it threw: it is the merchant's, at their terminal. */
export async function loadModule(path: string): Promise<Record<string, unknown>> {
  const file = resolve(path)
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>
  } catch (error) {
    const reason = existsSync(file) ? reasonOf(error) : `there is no file ${file}`
    throw new InvalidInputError('--module', `${path} cannot be loaded: ${reason}`)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error))
    return `it threw ${inspect(error, { breakLength: Number.POSITIVE_INFINITY })}`
  // A connection that is refused at several addresses has a code and no message.
  const { code = error.name } = error as NodeJS.ErrnoException
  const [line = ''] = error.message.trim().split('\n')
  return line || code
}

/** @throws InvalidInputError when it exports none. */
export function storeIn({ store }: Record<string, unknown>, path: string): Store {
  // Made by one of this package's functions, as far as can be told.
  if (isObject(store) && 'forgets' in store) return store as unknown as Store
  throw new InvalidInputError(
    '--module',
    `${path} exports no store: export const store, made with sqliteStore, postgresStore or another of this package.`,
  )
}

/** Loads the merchant's own module. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InvalidInputError } from '../errors.ts'

/** @throws InvalidInputError when it cannot be loaded: with the error's name alone, since its message may quote anything. */
export async function loadModule(path: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>
  } catch (error) {
    const name = error instanceof Error ? error.name : 'an error'
    throw new InvalidInputError('--module', `${path} cannot be loaded (${name}).`)
  }
}

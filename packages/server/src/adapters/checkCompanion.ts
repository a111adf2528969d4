/** Tells a companion from its options, which plain JavaScript lets through. */
import { InvalidInputError } from '../errors.ts'

/** @throws InvalidInputError for what lacks `fetch`. */
export function checkCompanion(adapter: string, companion: unknown): void {
  const isObject = typeof companion === 'object' && companion !== null
  if (isObject && typeof Reflect.get(companion, 'fetch') === 'function') return
  throw new InvalidInputError(
    'configuration',
    `${adapter} takes a companion: ${adapter}(createCompanion(options)).`,
  )
}

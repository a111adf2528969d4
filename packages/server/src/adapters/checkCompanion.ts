/** Tells a companion from its options, which plain JavaScript lets through. */
import { InvalidInputError } from '../errors.ts'

/** @throws InvalidInputError for what lacks the function that an adapter calls. */
export function checkCompanion(adapter: string, companion: unknown, needs: 'answer' | 'fetch'): void {
  const isObject = typeof companion === 'object' && companion !== null
  if (isObject && typeof Reflect.get(companion, needs) === 'function') return
  throw new InvalidInputError(
    'configuration',
    `${adapter} takes a companion: ${adapter}(createCompanion(options)).`,
  )
}

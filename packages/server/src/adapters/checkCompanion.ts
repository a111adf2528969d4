/** Tells a companion from its options, which plain JavaScript lets through. */
import { InvalidInputError } from '../errors.ts'
import { canDo } from '../unknown.ts'

/** @throws InvalidInputError for what lacks `fetch`. */
export function checkCompanion(adapter: string, companion: unknown): void {
  if (canDo(companion, 'fetch')) return
  throw new InvalidInputError(
    'configuration',
    `${adapter} takes a companion: ${adapter}(createCompanion(options)).`,
  )
}

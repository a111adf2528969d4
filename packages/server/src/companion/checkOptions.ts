/** Checks a companion's options where they come in, so that a misspelt one is not taken for a missing one. */
import { InvalidInputError } from '../errors.ts'
import type { CompanionOptions } from './options.ts'
import { checkOrigins, checkUrl } from './setting.ts'

const known = {
  url: true,
  authorize: true,
  createPurchase: true,
  onOrder: true,
  onUser: true,
  store: true,
  shared: true,
  client: true,
  tokens: true,
  allowedOrigins: true,
  launchOnly: true,
  carry: true,
  rateLimit: true,
  onOrderTimeout: true,
  onError: true,
  now: true,
} as const satisfies Record<keyof CompanionOptions, true>

/**
 * @throws InvalidInputError that names the option.
 */
export function checkOptions(options: CompanionOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) throw wrong(`createCompanion has no option ${unknown}.`)
  if (typeof options.authorize !== 'function') {
    throw wrong(
      'createCompanion needs authorize(request), which says who is signed in; return null for nobody.',
    )
  }
  if (options.url !== undefined) checkUrl(options.url)
  if (options.allowedOrigins !== undefined) checkOrigins(options.allowedOrigins)
  if (options.carry !== undefined && options.carry !== 'return_url' && options.carry !== 'custom_id') {
    throw wrong('carry must be return_url or custom_id.')
  }
}

const wrong = (message: string): InvalidInputError => new InvalidInputError('configuration', message)

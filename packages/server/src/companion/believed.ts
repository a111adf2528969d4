/** Where the companion believes to be, and how it knows: for what a developer is told. */
import type { CompanionOptions } from './options.ts'
import { mountOf, splitAddress } from './paths.ts'
import { settingOf, urlOf } from './setting.ts'

export interface Believed {
  readonly url: string
  readonly setting: 'url' | 'PURCHASE_COMPANION_URL' | 'Host'
  readonly allowed: readonly string[]
  /** Whether `allowed` is the merchant's own list. */
  readonly isListed: boolean
}

/** Gives null while the address is not configured. */
export type BelievedFor = (request: Pick<Request, 'url'>) => Believed | null

export function createBelievedFor(
  options: Pick<CompanionOptions, 'url' | 'allowedOrigins'>,
  originsOf: (url: () => string) => readonly string[],
): BelievedFor {
  return ({ url: asked }) => {
    try {
      const { origin, pathname } = splitAddress(asked)
      const url = urlOf(options.url, origin + (mountOf(pathname) ?? ''))
      const isListed = options.allowedOrigins !== undefined
      return { url, setting: settingOf(options.url), allowed: originsOf(() => url), isListed }
    } catch {
      return null
    }
  }
}

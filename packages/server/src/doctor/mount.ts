/** The companion's address, from the settings and `--companion`. */
import { checkUrl, companionUrlVariable, configuredUrl } from '../companion/place.ts'
import { isInvalidInputError } from '../errors.ts'
import { type Checkup, failed, note, ok } from './checkup.ts'

const named = { name: 'companion address', address: null } as const
const example = 'e.g. https://shop.example/api/purchase-widget'

export interface Addresses {
  checks: Checkup[]
  /** The given address, if it can be called. Without a slash at the end. */
  url: string | undefined
}

/**
 * Checks the addresses before anything is called.
 *
 * @param given value of `--companion`.
 */
export function readAddresses(given: string | undefined): Addresses {
  const checks: Checkup[] = []
  /** Returns undefined for an invalid address. */
  function check(setting: string, address: string): string | undefined {
    try {
      return checkUrl(address, setting)
    } catch (error) {
      if (!isInvalidInputError(error)) throw error
      const remedy = `set it to the address at which shoppers reach the companion, ${example}`
      checks.push(failed({ ...named, setting, remedy }, null, error.problem))
      return undefined
    }
  }

  const configured = configuredUrl()
  const url = configured === '' ? undefined : check(companionUrlVariable, configured)
  if (given !== undefined) return { checks, url: check('--companion', given) }
  if (url !== undefined) checks.push(ok(named, `${url}; check that it answers there with --companion URL`))
  if (configured === '') {
    const remedy = `set it to the companion's public address, ${example}, or give createCompanion its option url`
    checks.push(note(named, `${companionUrlVariable} is not set: ${remedy}`))
  }
  return { checks, url: undefined }
}

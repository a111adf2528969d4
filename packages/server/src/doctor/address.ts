/** The companion's address: as the settings say and as `--companion` says. */
import { checkUrl, checkVariable, configuredUrl } from '../companion/setting.ts'
import { InvalidInputError } from '../errors.ts'
import { type Checkup, failed, note, ok, type Subject } from './checkup.ts'

const named = { name: 'companion address', address: null } as const
const example = 'e.g. https://shop.example/api/purchase-widget'

const variable: Subject = {
  ...named,
  setting: 'PURCHASE_COMPANION_URL',
  remedy: `set it to the address at which shoppers reach the companion, ${example}`,
}

const flag: Subject = {
  ...named,
  setting: '--companion',
  remedy: `give the address at which shoppers reach the companion, ${example}`,
}

export interface Addresses {
  checks: Checkup[]
  /** The one that was given, when somebody can be asked there. Without a slash at the end. */
  url: string | undefined
}

/**
 * Before anybody is asked.
 *
 * @param given as `--companion`.
 */
export function readAddresses(given: string | undefined): Addresses {
  const configured = configuredUrl()
  const fromEnvironment = configured === '' ? null : check(variable, configured, checkVariable)
  const fromFlag = given === undefined ? null : check(flag, given, (text) => checkUrl(text, '--companion'))
  const checks: Checkup[] = []
  if (fromEnvironment && 'name' in fromEnvironment) checks.push(fromEnvironment)
  if (fromFlag && 'name' in fromFlag) checks.push(fromFlag)
  if (fromFlag) return { checks, url: 'url' in fromFlag ? fromFlag.url : undefined }
  if (fromEnvironment && 'url' in fromEnvironment) {
    checks.push(ok(named, `${fromEnvironment.url}; see whether it answers there with --companion URL`))
  }
  if (!fromEnvironment) {
    const remedy = `set it to the companion's public address, ${example}`
    checks.push(
      note(named, `PURCHASE_COMPANION_URL is not set: ${remedy}, or give createCompanion its option url`),
    )
  }
  return { checks, url: undefined }
}

function check(subject: Subject, text: string, read: (text: string) => string): { url: string } | Checkup {
  try {
    return { url: read(text) }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return failed(subject, null, error.message.slice(`${error.operation}: `.length))
  }
}

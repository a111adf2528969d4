/** The companion's address: as the settings say, as `--companion` says, and as the companion itself believes. */
import { escapeHtml } from '../companion/page.ts'
import { checkUrl, checkVariable, configuredUrl } from '../companion/setting.ts'
import { InvalidInputError } from '../errors.ts'
import { causeOf } from '../mistakes/table.ts'
import { type Checkup, failed, note, ok, type Subject } from './checkup.ts'
import type { Mount, Seen } from './mount.ts'
import { canonicalOf, isReturnPage, returnPath } from './returnRoute.ts'

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

/** Nothing when it believes what was given, or when its return page is not there to say so. */
export function sameAddress({ url }: Mount, returned: Seen): Checkup[] {
  if (!isReturnPage(returned)) return []
  const subject: Subject = {
    name: named.name,
    setting: 'url',
    address: returned.subject.address,
    remedy: causeOf('companion_elsewhere', { companion: '', given: url }).remedy,
  }
  const canonical = canonicalOf(returned)
  if (canonical === undefined) return [failed(subject, 200, 'the companion does not know its own address')]
  if (canonical === escapeHtml(url + returnPath)) return []
  const believed = canonical.slice(0, canonical.lastIndexOf('/return/'))
  return [failed(subject, 200, causeOf('companion_elsewhere', { companion: believed, given: url }).seen)]
}

/** Where the companion is: as the settings and `--companion` say, and what is answered there. */
import { checkUrl, checkVariable, configuredUrl } from '../companion/place.ts'
import type { Deadline } from '../deadline.ts'
import { InvalidInputError } from '../errors.ts'
import { type Checkup, failed, note, ok, type Subject, withoutOperation } from './checkup.ts'

export interface Seen {
  subject: Subject
  /** Null when nobody answered. */
  status: number | null
  headers: Headers
  /** Why nobody answered, when nobody did. */
  body: string
}

/** What somebody answered. */
export type Answered = Seen & { status: number }

export async function ask(
  deadline: Deadline,
  name: string,
  address: string,
  init: RequestInit = {},
): Promise<Seen> {
  const subject: Subject = {
    name,
    setting: '--companion',
    address,
    remedy:
      'give --companion the address at which it is mounted, and let everything below it reach the companion',
  }
  try {
    const response = await deadline.race(
      fetch(address, { ...init, redirect: 'manual', signal: deadline.signal }),
    )
    const { status, headers } = response
    return { subject, status, headers, body: await deadline.race(response.text()) }
  } catch {
    const reason = deadline.signal.aborted ? 'no answer in time' : 'cannot be reached'
    return { subject, status: null, headers: new Headers(), body: reason }
  }
}

export const isAnswered = (seen: Seen): seen is Answered => seen.status !== null

/** A row for an answer, or for none. */
export function read(seen: Seen, judge: (answered: Answered) => Checkup): Checkup {
  if (!isAnswered(seen)) {
    return failed(seen.subject, null, seen.body, {
      remedy:
        'see whether the server runs and whether this machine may reach it: name, port, DNS, proxy, firewall',
    })
  }
  if (seen.status < 500) return judge(seen)
  return failed(seen.subject, seen.status, `answers ${seen.status}`, {
    setting: "your server's log",
    remedy: 'see there why; the companion writes what it lacks',
  })
}

export const notTheCompanion = ({ subject, status }: Answered): Checkup =>
  failed(subject, status, `answers ${status}, but not as a companion does: is this where it is mounted?`)

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
    return failed(subject, null, withoutOperation(error))
  }
}

/** The companion's address, from the settings and `--companion`, and the answers from there. */
import { checkUrl, companionUrlVariable, configuredUrl } from '../companion/place.ts'
import type { Deadline } from '../deadline.ts'
import { isInvalidInputError } from '../errors.ts'
import { type Checkup, failed, note, ok, type Subject } from './checkup.ts'

export interface Seen {
  subject: Subject
  /** Null without an answer. */
  status: number | null
  headers: Headers
  /** The reason, when there was no answer. */
  body: string
}

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

/** A row for an answer, or for a missing one. */
export function read(seen: Seen, judge: (answered: Answered) => Checkup): Checkup {
  if (!isAnswered(seen)) {
    return failed(seen.subject, null, seen.body, {
      remedy: 'check that the server runs and can be reached from here: name, port, DNS, proxy, firewall',
    })
  }
  if (seen.status < 500) return judge(seen)
  return failed(seen.subject, seen.status, `answers ${seen.status}`, {
    setting: "your server's log",
    remedy: 'see there why; the companion logs what is missing',
  })
}

export const notTheCompanion = ({ subject, status }: Answered): Checkup =>
  failed(subject, status, `answers ${status}, but not as a companion does: is this where it is mounted?`)

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

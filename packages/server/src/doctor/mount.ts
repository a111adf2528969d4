/** Asks at the merchant's own mount, as pages of other sites, shoppers' browsers and the widget do. */
import type { Deadline } from '../deadline.ts'
import { type Checkup, failed, type Subject } from './checkup.ts'

export interface Mount {
  /** Without a slash at the end. */
  url: string
  /** Of the merchant's page with the button; the companion's own when it is not named. */
  pageOrigin: string | undefined
  fetch: typeof globalThis.fetch
  deadline: Deadline
}

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
  { url, fetch, deadline }: Mount,
  name: string,
  path: string,
  init: RequestInit = {},
): Promise<Seen> {
  const address = url + path
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

/** A row for an answer, or for none. */
export function read(seen: Seen, judge: (answered: Answered) => Checkup): Checkup {
  if (!isAnswered(seen)) return unreachable(seen)
  return seen.status >= 500 ? inTrouble(seen) : judge(seen)
}

export const isAnswered = (seen: Seen): seen is Answered => seen.status !== null

const unreachable = ({ subject, body }: Seen): Checkup =>
  failed(subject, null, body, {
    remedy:
      'see whether the server runs and whether this machine may reach it: name, port, DNS, proxy, firewall',
  })

const inTrouble = ({ subject, status }: Answered): Checkup =>
  failed(subject, status, `answers ${status}`, {
    setting: "your server's log",
    remedy: 'see there why; the companion writes what it lacks',
  })

export const notTheCompanion = ({ subject, status }: Answered): Checkup =>
  failed(subject, status, `answers ${status}, but not as a companion does: is this where it is mounted?`)

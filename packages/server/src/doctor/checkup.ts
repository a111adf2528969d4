/** What a check has found: a row that is fine, or one that names what to fix; and what the checks share, such as which variable to look at. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Deadline } from '../deadline.ts'
import { isApiError, isNetworkError, isTimeoutError, PurchaseError, TimeoutError } from '../errors.ts'
import { parts, reasonOf } from '../mistakes/service.ts'
import { causeOf, mistakes } from '../mistakes/table.ts'

/** Nothing to fix. `note`: worth knowing. */
export interface Fine {
  name: string
  result: 'ok' | 'note' | 'skipped'
  detail: string
}

export interface Failed {
  name: string
  result: 'failed'
  /** What was seen. */
  detail: string
  /** The environment variable, or the option of `createCompanion`, that is to be looked at. */
  setting: string
  /** What was asked; null when nobody was. Holds no token. */
  address: string | null
  /** The HTTP status of the answer; null when there was none. */
  status: number | null
  /** What to do. */
  remedy: string
}

export type Checkup = Fine | Failed

/** What a check is about, and what to do when its address seems wrong. */
export type Subject = Pick<Failed, 'name' | 'setting' | 'address' | 'remedy'>

export const ok = ({ name }: Pick<Subject, 'name'>, detail: string): Fine => ({ name, result: 'ok', detail })
export const note = ({ name }: Pick<Subject, 'name'>, detail: string): Fine => ({
  name,
  result: 'note',
  detail,
})

/** `more` says it better than the subject does. */
export const failed = (
  { name, setting, address, remedy }: Subject,
  status: number | null,
  detail: string,
  more: Partial<Pick<Failed, 'setting' | 'remedy'>> = {},
): Failed => ({ name, result: 'failed', detail, setting, address, status, remedy, ...more })

/** A row for a call that failed. Anything but this package's own errors is passed on. */
export const asFailure =
  (subject: Subject) =>
  (error: unknown): Failed => {
    if (!(error instanceof PurchaseError)) throw error
    const message = error.message.slice(`${error.operation}: `.length)
    if (isTimeoutError(error)) return failed(subject, null, message, { remedy: byNetwork })
    if (isNetworkError(error)) return unanswered(subject, error.status, reasonOf(error))
    if (!isApiError(error)) return failed(subject, 200, message)
    const { status } = error
    return failed(subject, status, `answers ${status}`, remedies(status))
  }

const byNetwork =
  'see whether this machine may reach that address: name, DNS, proxy, firewall; or the address is another'

function unanswered(subject: Subject, status: number | null, reason: string): Failed {
  if (status === null) return failed(subject, null, reason)
  return failed(subject, status, `answers ${status}, a redirect, which is never followed`, {
    remedy: mistakes.service_redirects.remedy.replace('{setting}', subject.setting),
  })
}

function remedies(status: number): Partial<Pick<Failed, 'setting' | 'remedy'>> {
  if (status === 429) return { remedy: 'too many calls: try again in a minute' }
  if (status >= 500)
    return { remedy: 'the server behind this address is in trouble: try again, then ask who runs it' }
  return {}
}

export interface Visit {
  client: PurchaseClient
  now: () => number
  /** The end of all calls: a service that is silent is not asked more. */
  deadline: Deadline
}

/** How long all calls together may take. */
export const CALLS_MS = 5_000

export async function inTime<T>({ deadline }: Visit, call: Promise<T>): Promise<T> {
  return deadline.race(call).catch((error: unknown) => {
    if (error instanceof PurchaseError || !deadline.signal.aborted) throw error
    throw new TimeoutError('doctor', `no answer within ${CALLS_MS / 1000} s`)
  })
}

type Setting = Pick<Subject, 'setting' | 'remedy'>
type Base = keyof PurchaseClient['addresses']

export function subjectOf({ addresses }: PurchaseClient, base: Base, name: string): Subject {
  const address = addresses[base]
  const [variable, what] = parts[base]
  const isShared = base === 'userBaseUrl' && address === addresses.baseUrl
  if (isShared) {
    return {
      name,
      setting: 'PURCHASE_BASE_URL',
      address,
      remedy: `Set PURCHASE_BASE_URL to the service's address of ${parts.baseUrl[1]}; when users are elsewhere, set PURCHASE_USER_BASE_URL too.`,
    }
  }
  const { remedy } = causeOf('service_address', { setting: variable, address, status: '', what })
  return { name, setting: variable, address, remedy }
}

export const wrongApiKey: Setting = {
  setting: 'PURCHASE_API_KEY',
  remedy: mistakes.keys_refused.remedy,
}
export const wrongSecretKey: Setting = {
  setting: 'PURCHASE_SECRET_KEY',
  remedy: `The service takes the API key and refuses this one. ${mistakes.keys_refused.remedy}`,
}
export const noPermission: Setting = {
  setting: 'PURCHASE_API_KEY',
  remedy: mistakes.permission_missing.remedy,
}

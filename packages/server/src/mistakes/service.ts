/** Which setting a failed call to the service points at. */

import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { baseOf } from '../client/operations.ts'
import { isApiError, isNetworkError, isTimeoutError, PurchaseError } from '../errors.ts'
import { type Cause, causeOf } from './table.ts'

/** Which environment variable says where each part of the service is. */
export const parts = {
  baseUrl: ['PURCHASE_BASE_URL', 'transactions, subscriptions and users'],
  userBaseUrl: ['PURCHASE_USER_BASE_URL', 'the user operations'],
  widgetApiUrl: ['PURCHASE_WIDGET_API_URL', 'tokens and order history'],
} as const

/** @returns null for a failure that no setting explains. */
export function serviceCause(error: PurchaseError, { addresses }: Partial<PurchaseClient>): Cause | null {
  const base = baseOf(error.operation)
  if (!base || !addresses) return null
  const address = addresses[base]
  const isShared = base === 'userBaseUrl' && address === addresses.baseUrl
  const [setting, what] = parts[isShared ? 'baseUrl' : base]
  if (isTimeoutError(error)) {
    return causeOf('service_unreachable', { setting, address, what, reason: 'no answer in time' })
  }
  if (isNetworkError(error)) {
    const { status } = error
    return status === null
      ? causeOf('service_unreachable', { setting, address, what, reason: reasonOf(error) })
      : causeOf('service_redirects', { setting, address, status: String(status) })
  }
  if (!isApiError(error)) return causeOf('service_address', { setting, address, what, status: '200' })
  const status = String(error.status)
  if (error.status < 500 && error.refusedBy === 'other') {
    return causeOf('service_address', { setting, address, what, status })
  }
  const needsBoth = error.operation === 'accessTokens.create'
  if (error.status === 401) {
    const keys = needsBoth ? 'PURCHASE_API_KEY or PURCHASE_SECRET_KEY' : 'PURCHASE_API_KEY'
    return causeOf('keys_refused', { setting, address, status, keys })
  }
  if (error.status === 403) return causeOf('permission_missing', { setting, address, status })
  return causeOf('service_failing', { setting, address, what, status })
}

/**
 * The same for a failure of any kind, where the service's own answer is no mistake of a set-up: an order that a webhook names need not exist.
 */
export function settingCause(error: unknown, client: Partial<PurchaseClient>): Cause | null {
  if (!(error instanceof PurchaseError)) return null
  const cause = serviceCause(error, client)
  return cause?.mistake === 'service_failing' ? null : cause
}

/** Codes come from the system: `ENOTFOUND`, `ECONNREFUSED`. */
export function reasonOf({ cause }: PurchaseError): string {
  const code = cause instanceof Error ? /\((\w+)\)$/.exec(cause.message)?.[1] : undefined
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `there is no such host (${code})`
  return `cannot be reached${code ? ` (${code})` : ''}`
}

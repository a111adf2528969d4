/** What a developer can fix about a request that failed. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { InvalidInputError, isPurchaseRefused, PurchaseError } from '../errors.ts'
import { serviceCause } from '../mistakes/service.ts'
import { type Cause, causeOf } from '../mistakes/table.ts'
import { Refusal } from './answer.ts'
import { callerCause } from './arrivalCauses.ts'
import type { Believed } from './believed.ts'
import type { RequestInfo } from './options.ts'
import { originCause } from './originCause.ts'

interface Failed {
  error: unknown
  request: Request
  info: RequestInfo
  /** Null while the companion's address is not configured. */
  believed: Believed | null
  /** Empty while it can't be made. */
  client: Partial<PurchaseClient>
}

/** @returns null where there is nothing to fix. */
export function failureCause({ error, request, info, believed, client }: Failed): Cause | null {
  if (error instanceof Refusal) {
    if (error.code === 'forbidden_origin') return believed && originCause(request, believed)
    return error.code === 'too_many_requests' ? callerCause(request, info) : null
  }
  if (!(error instanceof PurchaseError) || isPurchaseRefused(error)) return null
  if (!(error instanceof InvalidInputError)) return serviceCause(error, client)
  // Any other is a mistake in the merchant's own code, which `onError` receives.
  if (error.operation !== 'configuration') return null
  return causeOf('setting_invalid', { problem: error.message.replace(/^configuration: /, '') })
}

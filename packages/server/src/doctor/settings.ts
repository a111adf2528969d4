/** Which environment variable says where each part of the service is, and which holds each key. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { parts } from '../mistakes/service.ts'
import { causeOf, mistakes } from '../mistakes/table.ts'
import type { Subject } from './checkup.ts'

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

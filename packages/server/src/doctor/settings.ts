/** Which environment variable says where each part of the service is, and which holds each key. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Subject } from './checkup.ts'

type Base = keyof PurchaseClient['addresses']

const parts = {
  baseUrl: ['PURCHASE_BASE_URL', 'transactions, subscriptions and users'],
  userBaseUrl: ['PURCHASE_USER_BASE_URL', 'the user operations'],
  widgetApiUrl: ['PURCHASE_WIDGET_API_URL', 'tokens and order history'],
} as const satisfies Record<Base, readonly [variable: string, what: string]>

export function subjectOf({ addresses }: PurchaseClient, base: Base, name: string): Subject {
  const address = addresses[base]
  const [variable, what] = parts[base]
  const isShared = base === 'userBaseUrl' && address === addresses.baseUrl
  if (isShared) {
    return {
      name,
      setting: 'PURCHASE_BASE_URL',
      address,
      remedy: `set PURCHASE_BASE_URL to the service's address of ${parts.baseUrl[1]}; when users are elsewhere, set PURCHASE_USER_BASE_URL too`,
    }
  }
  return { name, setting: variable, address, remedy: `set ${variable} to the service's address of ${what}` }
}

const sameAccount =
  'copy it from the dashboard again, whole; keys and addresses must be of one account: the sandbox has its own'

export const wrongApiKey = {
  setting: 'PURCHASE_API_KEY',
  remedy: `the service refuses the key: ${sameAccount}; or the two keys are exchanged`,
}
export const wrongSecretKey = {
  setting: 'PURCHASE_SECRET_KEY',
  remedy: `the service takes the API key and refuses this one: ${sameAccount}`,
}
export const noPermission = {
  setting: 'PURCHASE_API_KEY',
  remedy: 'the key is known and may not do this: ask the service for the permission (5.3)',
}

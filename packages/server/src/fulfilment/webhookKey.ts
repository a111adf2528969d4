/**
 * The secret part of the address at which the service's webhooks arrive. Whoever knows it is let into the trusted queue. It is derived
 * from the secret key: nothing more to configure, and the doctor can print it.
 */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { macOf } from '../client/keys.ts'

/** 192 of the HMAC's bits. */
const LENGTH = 32

/** 32 url-safe characters, the same for every instance that has the same secret key. */
export async function webhookKeyOf(client: Pick<PurchaseClient, 'deriveKey'>): Promise<string> {
  return (await macOf(client, 'webhook', 'webhook address')).slice(0, LENGTH)
}

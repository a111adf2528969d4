/** Under which key a store holds the token: another for other keys or another service, whose tokens it would be no use to share. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { macOf } from '../client/mac.ts'

/** 96 of the HMAC's bits. */
const LENGTH = 16

export async function leaseKeyOf(client: Pick<PurchaseClient, 'deriveKey' | 'widgetUrl'>): Promise<string> {
  return `access-token:${(await macOf(client, 'lease', client.widgetUrl)).slice(0, LENGTH)}`
}

/** Codes that only who has the secret key can make, and that do not give it away. */
import { toBase64url } from './base64url.ts'
import type { PurchaseClient } from './createPurchaseClient.ts'

/** 43 url-safe characters, the same for every instance that has the same secret key. */
export async function macOf(
  client: Pick<PurchaseClient, 'deriveKey'>,
  purpose: string,
  text: string,
): Promise<string> {
  const key = await client.deriveKey(purpose)
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))
  return toBase64url(new Uint8Array(mac))
}

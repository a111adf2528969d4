/**
 * The secret part of the address at which the service's webhooks arrive. Whoever knows it is let into the trusted lane. It is derived
 * from the secret key: nothing more to configure, and the doctor can print it.
 */
import { Buffer } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'

const LENGTH = 32

/** 32 url-safe characters: 192 bits of an HMAC with a key that serves nothing else. */
export async function webhookKeyOf(client: {
  deriveKey(purpose: string): Promise<CryptoKey>
}): Promise<string> {
  const key = await client.deriveKey('webhook')
  const mac = await crypto.subtle.sign(
    'HMAC',
    key,
    new TextEncoder().encode('purchase-widget webhook address'),
  )
  return Buffer.from(mac).toString('base64url').slice(0, LENGTH)
}

/** Takes the same time whatever differs. */
export function isWebhookKey(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given.slice(0, LENGTH + 1))]
  return a.length === b.length && timingSafeEqual(a, b)
}

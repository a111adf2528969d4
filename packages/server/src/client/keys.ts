/** Keys for this package's own purposes, made from the secret key (HKDF), so that a merchant has no other secret to keep; and bytes as text. */

/** As the runtime's own types call it: with or without the DOM's. */
export type DerivedKey = Parameters<typeof crypto.subtle.exportKey>[1]

/** Gives the same key for the same purpose, to every instance that has the same secret key. It cannot be exported. */
export function keysFrom(secretKey: string): (purpose: string) => Promise<DerivedKey> {
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
  const keys = new Map<string, Promise<DerivedKey>>()

  async function derive(purpose: string): Promise<DerivedKey> {
    const base = await crypto.subtle.importKey('raw', bytes(secretKey), 'HKDF', false, ['deriveKey'])
    return crypto.subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: bytes('purchase-widget'), info: bytes(purpose) },
      base,
      { name: 'HMAC', hash: 'SHA-256', length: 256 },
      false,
      ['sign', 'verify'],
    )
  }

  return (purpose) => {
    const key = keys.get(purpose) ?? derive(purpose)
    keys.set(purpose, key)
    return key
  }
}

/** A code that only a holder of the secret key can make: 43 url-safe characters, the same for every such instance. */
export async function macOf(
  client: { deriveKey(purpose: string): Promise<DerivedKey> },
  purpose: string,
  text: string,
): Promise<string> {
  const key = await client.deriveKey(purpose)
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))
  return toBase64url(new Uint8Array(mac))
}

export function toBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

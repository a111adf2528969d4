/** A companion over a client, with a session that is a header or a cookie `shopper=<customId>[:<userId>]`. */
import {
  type Companion,
  type CompanionOptions,
  createCompanion,
  memoryStore,
  type PurchaseClient,
  type Shopper,
} from '../../src/index.ts'

export const shopOrigin = 'https://shop.example'
export const mount = `${shopOrigin}/api/purchase-widget`

function authorize(request: Request): Shopper | null {
  const [, customId, userId] = /shopper=([^:;]*):?([^;]*)/.exec(request.headers.get('cookie') ?? '') ?? []
  if (customId) return userId ? { customId, userId } : { customId }
  return userId ? { userId } : null
}

export function companionOf(client: PurchaseClient, options: Partial<CompanionOptions> = {}): Companion {
  return createCompanion({ client, store: memoryStore(), authorize, ...options })
}

export const get = (path: string, shopper?: string, headers: Record<string, string> = {}): Request =>
  new Request(mount + path, { headers: { ...headers, ...(shopper ? { cookie: `shopper=${shopper}` } : {}) } })

export const post = (
  path: string,
  body: unknown,
  shopper?: string,
  headers: Record<string, string> = {},
): Request =>
  new Request(mount + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      origin: shopOrigin,
      'content-type': 'application/json',
      ...(shopper ? { cookie: `shopper=${shopper}` } : {}),
      ...headers,
    },
  })

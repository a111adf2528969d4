/**
 * A companion with a client, whose session is a cookie `shopper=<customId>[:<userId>]`, with `; formerly=<id>[,<id>]` for a shopper who has
 * signed in. It is closed after the test, so that its schedules do not call the service in the next one.
 */
import { afterEach, beforeEach } from 'vitest'
import {
  type Companion,
  type CompanionOptions,
  createCompanion,
  memoryStore,
  type PurchaseClient,
  type Shopper,
} from '../../src/index.ts'
import type { Service } from './service.ts'
import { serviceOfThisFile } from './untilTheEnd.ts'

export const shopOrigin = 'https://shop.example'
export const mount = `${shopOrigin}/api/purchase-widget`

function authorize(request: Request): (Shopper & { formerly: string[] }) | null {
  const cookie = request.headers.get('cookie') ?? ''
  const [, customId, userId] = /shopper=([^:;]*):?([^;]*)/.exec(cookie) ?? []
  const formerly = /formerly=([^;]+)/.exec(cookie)?.[1]?.split(',') ?? []
  if (customId) return { customId, ...(userId ? { userId } : {}), formerly }
  return userId ? { userId, formerly } : null
}

const opened: Companion[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((companion) => companion.close()))))

/** @param client undefined: that of the environment. */
export function companionOf(
  client: PurchaseClient | undefined,
  options: Partial<CompanionOptions> = {},
): Companion {
  const companion = createCompanion({
    ...(client ? { client } : {}),
    store: memoryStore(),
    authorize,
    // Tests read the token to compare it.
    pageToken: true,
    ...options,
  })
  opened.push(companion)
  return companion
}

interface OfThisFile {
  service: Service
  client: PurchaseClient
  /** Calls the companion of this test, which has no options of its own. */
  ask: Companion['fetch']
}

/** A service and a client for all tests of a file, and a companion for each test. */
export async function companionOfThisFile(): Promise<OfThisFile> {
  const service = await serviceOfThisFile()
  const client = service.client()
  let companion: Companion
  beforeEach(() => {
    companion = companionOf(client)
  })
  return { service, client, ask: (...call) => companion.fetch(...call) }
}

/** The headers of a browser's navigation. */
export const navigation = (site: string, dest = 'document', mode = 'navigate'): Record<string, string> => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest,
})

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

export const bodyOf = async (response: Promise<Response>): Promise<unknown> => (await response).json()

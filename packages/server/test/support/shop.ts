/** Instances of one shop over HTTP: companions behind one public address, each with a handle of its own on the shop's store. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { webhookKeyOf } from '../../src/fulfilment/webhook.ts'
import {
  type Companion,
  type CompanionOptions,
  createCompanion,
  type OrderEvent,
  type OrderSummary,
  type PurchaseAnswer,
  type PurchaseClient,
  type Store,
  type TokenGrant,
  toNodeHandler,
} from '../../src/index.ts'
import { mount, shopOrigin } from './companion.ts'

/** Who asks: `formerly` are ids from before they signed in. */
export interface Visitor {
  id: string
  formerly?: readonly string[]
}

export interface Instance {
  companion: Companion
  /** What its `onOrder` has heard. */
  heard: OrderEvent[]
  /** @throws unless a purchase is begun. */
  begin(visitor: Visitor, params?: Record<string, string>): Promise<TokenGrant>
  ask(purchaseId: string, visitor: Visitor, query?: string): Promise<PurchaseAnswer>
  orders(visitor: Visitor): Promise<OrderSummary[]>
  /** Tells of an order as the service does; the status. */
  webhook(orderId: string): Promise<number>
  request(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

const opened: Instance[] = []

/** Call it after each test, before their store ends. */
export async function closeInstances(): Promise<void> {
  await Promise.all(opened.splice(0).map((instance) => instance.close()))
}

function authorize(request: Request): { customId: string; formerly: string[] } | null {
  const cookie = request.headers.get('cookie') ?? ''
  const customId = /shopper=([^;]+)/.exec(cookie)?.[1]
  return customId ? { customId, formerly: /formerly=([^;]+)/.exec(cookie)?.[1]?.split(',') ?? [] } : null
}

const cookieOf = ({ id, formerly = [] }: Visitor): string =>
  [`shopper=${id}`, ...(formerly.length > 0 ? [`formerly=${formerly.join(',')}`] : [])].join('; ')

export async function openInstance(
  client: PurchaseClient,
  store: Store,
  options: Partial<CompanionOptions> = {},
): Promise<Instance> {
  const heard: OrderEvent[] = []
  const companion = createCompanion({
    pageToken: true,
    client,
    store,
    authorize,
    url: mount,
    rateLimit: { perShopper: 1e9, perAddress: 1e9 },
    onError: () => {},
    onOrder: (event) => void heard.push(event),
    ...options,
  })
  const server = createServer(toNodeHandler(companion))
  // On a slow machine a connection must not end in the moment in which the test takes it up again.
  server.keepAliveTimeout = 600_000
  const origin = await listening(server)
  const request: Instance['request'] = (path, init) => fetch(`${origin}/api/purchase-widget${path}`, init)
  const read = async <T>(path: string, visitor: Visitor): Promise<T> =>
    (await (await request(path, { headers: { cookie: cookieOf(visitor) } })).json()) as T
  const instance: Instance = {
    companion,
    heard,
    request,
    async begin(visitor, params = {}) {
      const response = await request('/token', {
        method: 'POST',
        body: JSON.stringify({ params }),
        headers: { cookie: cookieOf(visitor), origin: shopOrigin, 'content-type': 'application/json' },
      })
      if (response.status !== 200) throw new Error(`POST /token: ${response.status}`)
      return (await response.json()) as TokenGrant
    },
    ask: (purchaseId, visitor, query = '') => read(`/purchases/${purchaseId}${query}`, visitor),
    orders: async (visitor) => (await read<{ orders: OrderSummary[] }>('/orders', visitor)).orders,
    async webhook(orderId) {
      const body = JSON.stringify({ order_id: orderId })
      return (await request(`/webhook/${await webhookKeyOf(client)}`, { method: 'POST', body })).status
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await companion.close()
    },
  }
  opened.push(instance)
  return instance
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

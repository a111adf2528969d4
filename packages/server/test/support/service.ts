/** The real sandbox, and its clients. */
import { createSandbox, type Sandbox } from '@purchase-widget/sandbox'
import {
  createPurchaseClient,
  type Order,
  type PurchaseClient,
  type PurchaseClientOptions,
} from '../../src/index.ts'

export interface Service extends Sandbox {
  /** Calls the control plane. */
  control(method: string, path: string, body?: unknown): Promise<unknown>
  /** Its addresses and keys. */
  settings: PurchaseClientOptions
  client(options?: Partial<PurchaseClientOptions>): PurchaseClient
  /** A whole purchase without the page, by one person per custom id. */
  buy(params: Record<string, string>, card?: string): Promise<Order>
  /** How many requests of an operation have arrived. */
  count(operation: string): Promise<number>
}

export async function startService(): Promise<Service> {
  const sandbox = await createSandbox({ webhookRetryMs: 50 })

  async function control(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(sandbox.urls.controlUrl + path, {
      method,
      // The sandbox may close a keep-alive connection just as it is reused.
      headers: { connection: 'close', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  const { widgetUrl, widgetApiUrl, baseUrl } = sandbox.urls
  const settings = { widgetUrl, widgetApiUrl, baseUrl, ...sandbox.credentials }
  return {
    ...sandbox,
    control,
    settings,
    client: (options) => createPurchaseClient({ ...settings, ...options }),
    buy: async (params, card) =>
      (await control('POST', '/purchases', {
        params,
        email: `${params.custom_id ?? 'somebody'}@shopper.example.com`,
        ...(card ? { card_number: card } : {}),
      })) as Order,
    count: async (operation) => {
      const requests = (await control('GET', '/requests')) as { operation: string }[]
      return requests.filter((request) => request.operation === operation).length
    },
  }
}

export const newUser = {
  phone: '+14155550123',
  first_name: 'Ada',
  last_name: 'Lovelace',
  date_of_birth: '1990-12-10',
  country_of_residence: 'USA',
  email: 'ada@example.com',
  state_of_residence: 'CA',
}

export const declinedCard = (code: string): string => `400000000000${code}`

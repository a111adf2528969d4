/** Calls a sandbox the way a merchant's server would, from the interface document alone: plain fetch, no client of ours. */
import type { Sandbox } from '../../src/index.ts'
import type { OrderRecord } from '../../src/service/orderRecord.ts'
import { testWithSandbox } from '../../src/testing/vitest.ts'
import type { Checkout } from '../../src/widget/protocol.ts'
import { mismatch } from './contract.ts'

export interface Answer<Body = Record<string, unknown>> {
  status: number
  headers: Headers
  body: Body
}

type Fields = Record<string, unknown>
type Texts = Record<string, string>

export interface Service {
  apiKey: string
  secretKey: string
  send<Body = Fields>(method: string, url: string, options?: SendOptions): Promise<Answer<Body>>
  createAccessToken<Body = { accessToken: string }>(body?: unknown, headers?: Texts): Promise<Answer<Body>>
  getTokenExpiry<Body = { expire_date: string }>(query: Texts): Promise<Answer<Body>>
  getOrderHistory<Body = OrderRecord[]>(query: Texts): Promise<Answer<Body>>
  getSubscription<Body = Fields>(body: unknown, headers?: Texts): Promise<Answer<Body>>
  getTransaction<Body = OrderRecord>(body: unknown, headers?: Texts): Promise<Answer<Body>>
  createWidgetUser<Body = CreatedUser>(body?: unknown, headers?: Texts): Promise<Answer<Body>>
  fetchUserDetails<Body = UserDetails>(body: unknown): Promise<Answer<Body>>
  /** POST to the control plane, or what `method` says. */
  control<Body = Fields>(path: string, body?: unknown, method?: string): Promise<Answer<Body>>
  flip(switches: Fields): Promise<void>
  advance(days: number): Promise<void>
  /** A live token. */
  token(expirationDays?: string): Promise<string>
  /** A whole purchase. */
  buy(params?: Texts, card?: { email?: string; card_number?: string }): Promise<OrderRecord>
  openCheckout(params?: Texts, accessToken?: string): Promise<Checkout>
  pay(checkout: Checkout, form?: Partial<Form>): Promise<Answer<Checkout>>
  /** Another step of a checkout, as the widget page takes it. */
  act(checkoutId: string, step: string, body: unknown): Promise<Answer<Checkout>>
}

interface SendOptions {
  headers?: Texts
  body?: unknown
  /** Sent as it is. */
  text?: string
  /** For answers that a fault has spoilt. */
  unchecked?: boolean
}

interface Form {
  email: string
  card_number: string
  expiry_date: string
  security_code: string
}

interface CreatedUser {
  error: boolean
  message: string
  data: { id: string; user_id: string }
}

interface UserDetails {
  data: { error: boolean; message: string; data: Fields & { limits: Texts; user_id: string } }
}

const workingCard = '4242 4242 4242 4242'

export const validUser = {
  phone: '+12015550123',
  first_name: 'Ada',
  last_name: 'Lovelace',
  date_of_birth: '1990-02-28',
  country_of_residence: 'USA',
  email: 'ada@example.com',
  state_of_residence: 'CA',
}

let checkedAnswers = 0
/** How many answers of this file's tests were held against the OpenAPI document. */
export const answersChecked = (): number => checkedAnswers

export function serviceOf(sandbox: Sandbox): Service {
  const { apiKey, secretKey } = sandbox.credentials
  const { baseUrl, controlUrl, widgetUrl, widgetApiUrl } = sandbox.urls
  const key = { 'api-key': apiKey }

  async function send<Body = Fields>(
    method: string,
    url: string,
    { headers = {}, body, text, unchecked = false }: SendOptions = {},
  ): Promise<Answer<Body>> {
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const json = sent === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await fetch(url, {
      method,
      // A connection that is kept may be closed by the sandbox in the moment in which it is used again.
      headers: { connection: 'close', ...json, ...headers },
      ...(sent !== undefined && { body: sent }),
    })
    const contentType = response.headers.get('content-type')
    const received = await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      body: contentType?.startsWith('application/json') && !unchecked ? JSON.parse(received) : received,
    }
    if (!unchecked) {
      const { pathname } = new URL(url)
      const wrong = mismatch({
        method,
        path: pathname,
        status: answer.status,
        contentType,
        body: answer.body,
      })
      if (wrong) throw new Error(wrong)
      checkedAnswers += 1
    }
    return answer
  }

  const service: Service = {
    apiKey,
    secretKey,
    send,
    createAccessToken: (body = {}, headers = { ...key, 'secret-key': secretKey }) =>
      send('POST', `${widgetApiUrl}/api/widget/refresh/access_token`, { body, headers }),
    getTokenExpiry: (query) =>
      send(
        'GET',
        `${widgetApiUrl}/api/widget/refresh/access_token/expire_date?${new URLSearchParams(query)}`,
      ),
    getOrderHistory: (query) =>
      send('GET', `${widgetApiUrl}/api/widget/order_history?${new URLSearchParams(query)}`),
    getSubscription: (body, headers = key) =>
      send('POST', `${baseUrl}/api/business/transactions/user_subscription`, { body, headers }),
    getTransaction: (body, headers = key) =>
      send('POST', `${baseUrl}/api/business/transactions/data`, { body, headers }),
    createWidgetUser: (body = { api_key: apiKey, ...validUser }, headers = key) =>
      send('POST', `${baseUrl}/api/user/create_widget_user`, { body, headers }),
    fetchUserDetails: (body) => send('POST', `${baseUrl}/api/user/fetch_user_details`, { body }),
    control: (path, body, method = 'POST') =>
      send(method, `${controlUrl}/${path}`, body === undefined ? {} : { body }),
    flip: async (switches) => void (await must(send('PATCH', `${controlUrl}/switches`, { body: switches }))),
    advance: async (days) =>
      void (await must(send('POST', `${controlUrl}/clock`, { body: { advanceSeconds: days * 86_400 } }))),
    token: async (expirationDays = '30') =>
      (await must(service.createAccessToken({ expirationDays }))).accessToken,
    buy: (params = {}, card = {}) =>
      must(send<OrderRecord>('POST', `${controlUrl}/purchases`, { body: { params, ...card } })),
    openCheckout: async (params = {}, accessToken) =>
      must(
        send<Checkout>('POST', `${widgetUrl}/widget/api/checkouts`, {
          body: { accessToken: accessToken ?? (await service.token()), params },
        }),
      ),
    pay: (checkout, form = {}) =>
      service.act(checkout.id, 'pay', {
        email: 'shopper@example.com',
        card_number: workingCard,
        expiry_date: '12/49',
        security_code: '123',
        ...form,
      }),
    act: (checkoutId, step, body) =>
      send('POST', `${widgetUrl}/widget/api/checkouts/${checkoutId}/${step}`, { body }),
  }
  return service
}

/** The body of an answer that must be a success. */
export async function must<Body>(answer: Promise<Answer<Body>>): Promise<Body> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`Expected success, got ${status}: ${JSON.stringify(body)}`)
  return body
}

/** A test with a sandbox of its own and a caller for it. */
export const test = testWithSandbox({ webhookRetryMs: 5 }).extend<{ service: Service }>({
  service: async ({ sandbox }, use) => use(serviceOf(sandbox)),
})

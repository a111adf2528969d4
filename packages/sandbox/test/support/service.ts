/** Calls a sandbox as a merchant's server would from the interface document alone: plain fetch, none of our clients. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '../../src/index.ts'
import type { SandboxOptions } from '../../src/options.ts'
import type { OrderRecord } from '../../src/service/orderRecord.ts'
import { startTestSandbox, type TestSandbox } from '../../src/testing/index.ts'
import { testWithSandbox } from '../../src/testing/vitest.ts'
import type { Checkout, PayCheckout } from '../../src/widget/protocol.ts'
import { mismatch } from './contract.ts'
import { type Receiver, startReceiver } from './http.ts'

export interface Answer<Body = Record<string, unknown>> {
  status: number
  headers: Headers
  body: Body
}

type Fields = Record<string, unknown>
type Texts = Record<string, string>

interface SendOptions {
  headers?: Texts
  body?: unknown
  /** Sent unchanged. */
  text?: string
  /** For responses that a fault has damaged. */
  unchecked?: boolean
}

interface CreatedUser {
  error: boolean
  message: string
  data: { id: string; user_id: string }
}

interface UserDetails {
  data: { error: boolean; message: string; data: Fields & { limits: Texts; user_id: string } }
}

export const validUser = {
  phone: '+12015550123',
  first_name: 'Ada',
  last_name: 'Lovelace',
  date_of_birth: '1990-02-28',
  country_of_residence: 'USA',
  email: 'ada@example.com',
  state_of_residence: 'CA',
}

const goodPayment: PayCheckout = {
  email: 'shopper@example.com',
  card_number: '4242 4242 4242 4242',
  expiry_date: '12/49',
  security_code: '123',
}

let checkedAnswers = 0
/** How many responses in this file's tests were validated against the OpenAPI document. */
export const answersChecked = (): number => checkedAnswers

async function send<Body = Fields>(
  method: string,
  url: string,
  { headers = {}, body, text, unchecked = false }: SendOptions = {},
): Promise<Answer<Body>> {
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const json = sent === undefined ? {} : { 'Content-Type': 'application/json' }
  const response = await fetch(url, {
    method,
    // The sandbox may close a keep-alive connection at the moment of its reuse.
    headers: { connection: 'close', ...json, ...headers },
    ...(sent !== undefined && { body: sent }),
  })
  const { status } = response
  const contentType = response.headers.get('content-type')
  const received = await response.text()
  if (unchecked) return { status, headers: response.headers, body: received as Body }
  const answer = contentType?.startsWith('application/json') ? JSON.parse(received) : received
  const wrong = mismatch({ method, path: new URL(url).pathname, status, contentType, body: answer })
  if (wrong) throw new Error(wrong)
  checkedAnswers += 1
  return { status, headers: response.headers, body: answer }
}

export type Service = ReturnType<typeof serviceOf>

export function serviceOf(sandbox: Sandbox) {
  const { apiKey, secretKey } = sandbox.credentials
  const { baseUrl, controlUrl, widgetUrl, widgetApiUrl } = sandbox.urls
  const key: Texts = { 'api-key': apiKey }
  const tokens = `${widgetApiUrl}/api/widget/refresh/access_token`
  const checkouts = `${widgetUrl}/widget/api/checkouts`

  const service = {
    apiKey,
    secretKey,
    send,
    createAccessToken: <Body = { accessToken: string }>(
      body: unknown = {},
      headers: Texts = { ...key, 'secret-key': secretKey },
    ) => send<Body>('POST', tokens, { body, headers }),
    getTokenExpiry: <Body = { expire_date: string }>(query: Texts) =>
      send<Body>('GET', `${tokens}/expire_date?${new URLSearchParams(query)}`),
    getOrderHistory: <Body = OrderRecord[]>(query: Texts) =>
      send<Body>('GET', `${widgetApiUrl}/api/widget/order_history?${new URLSearchParams(query)}`),
    getSubscription: <Body = Fields>(body: unknown, headers = key) =>
      send<Body>('POST', `${baseUrl}/api/business/transactions/user_subscription`, { body, headers }),
    getTransaction: <Body = OrderRecord>(body: unknown, headers = key) =>
      send<Body>('POST', `${baseUrl}/api/business/transactions/data`, { body, headers }),
    createWidgetUser: <Body = CreatedUser>(
      body: unknown = { api_key: apiKey, ...validUser },
      headers: Texts = key,
    ) => send<Body>('POST', `${baseUrl}/api/user/create_widget_user`, { body, headers }),
    fetchUserDetails: <Body = UserDetails>(body: unknown) =>
      send<Body>('POST', `${baseUrl}/api/user/fetch_user_details`, { body }),
    /** Details of an existing user. */
    user: async (email = goodPayment.email) =>
      (await must(service.fetchUserDetails({ api_key: apiKey, email }))).data.data,
    /** Calls the control plane with POST, or with `method`. */
    control: <Body = Fields>(path: string, body?: unknown, method = 'POST') =>
      send<Body>(method, `${controlUrl}/${path}`, body === undefined ? {} : { body }),
    /** The same, but requires success and returns the response body. */
    set: <Body = Fields>(path: string, body?: unknown, method?: string) =>
      must(service.control<Body>(path, body, method)),
    /** GET of the control plane. */
    read: <Body = Fields>(path: string) => service.set<Body>(path, undefined, 'GET'),
    flip: (switches: Fields) => service.set('switches', switches, 'PATCH'),
    advance: (days: number) => service.set('clock', { advanceSeconds: days * 86_400 }),
    /** A live token. */
    token: async (expirationDays = '30') =>
      (await must(service.createAccessToken({ expirationDays }))).accessToken,
    /** Makes a whole purchase. */
    buy: (params: Texts = {}, card: { email?: string; card_number?: string } = {}) =>
      service.set<OrderRecord>('purchases', { params, ...card }),
    /** The types of all orders, newest first. */
    orderTypes: async () => (await service.read<{ type: string }[]>('orders')).map(({ type }) => type),
    openCheckout: async (params: Texts = {}, accessToken?: string) =>
      must(
        send<Checkout>('POST', checkouts, {
          body: { accessToken: accessToken ?? (await service.token()), params },
        }),
      ),
    pay: (checkout: Checkout, form: Partial<PayCheckout> = {}) =>
      service.act(checkout.id, 'pay', { ...goodPayment, ...form }),
    /** Performs a checkout step as the widget page does. */
    act: (checkoutId: string, step: string, body: unknown) =>
      send<Checkout>('POST', `${checkouts}/${checkoutId}/${step}`, { body }),
  }
  return service
}

/** The body of a response that must be successful. */
export async function must<Body>(answer: Promise<Answer<Body>>): Promise<Body> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`Expected success, got ${status}: ${JSON.stringify(body)}`)
  return body
}

interface Fixtures {
  /** Calls the sandbox of this test. */
  service: Service
  /** A webhook endpoint. */
  receiver: Receiver
  /** A folder for this test only. */
  folder: string
  /** Starts a sandbox with these options, and closes it when the test ends. */
  start: (options?: SandboxOptions) => Promise<TestSandbox & { service: Service }>
}

/** A test with its own sandbox and helpers. */
export const test = testWithSandbox({ webhookRetryMs: 5 }).extend<Fixtures>({
  service: async ({ sandbox }, use) => use(serviceOf(sandbox)),
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from this pattern.
  receiver: async ({}, use) => {
    const receiver = await startReceiver()
    await use(receiver)
    await receiver.close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
    await use(folder)
    await rm(folder, { recursive: true })
  },
  // The folder must outlive the sandboxes that use it.
  start: async ({ folder: _ }, use) => {
    const started: TestSandbox[] = []
    await use(async (options) => {
      const sandbox = await startTestSandbox(options)
      started.push(sandbox)
      return { ...sandbox, service: serviceOf(sandbox) }
    })
    await Promise.all(started.map((sandbox) => sandbox.close()))
  },
})

/** What each route answers: written once, asked of every runtime, from the first row to the last. */
import { shopOrigin } from './serve.ts'

/** What earlier rows have learnt. */
export interface Known {
  purchaseId: string
  accessToken: string
  launchPath: string
  orderId: string
  userId: string
  webhookKey: string
  etag: string
}

export interface Row {
  name: string
  path: string | ((known: Known) => string)
  init?: RequestInit | ((known: Known) => RequestInit)
  /** How often in a row, when not once: the last answer counts. */
  times?: number
  /** The first answers may be older than the sale: it is asked until one is as expected. */
  eventually?: boolean
  status: number
  /** What these headers contain; null for one that must not be there. */
  headers?: Record<string, string | RegExp | null>
  /** What the body contains: of JSON some fields, of text a pattern. */
  body?: object | RegExp
  learn?: (body: Record<string, unknown>, response: Response) => Partial<Known>
}

const json = { 'content-type': 'application/json' }
const ada = { cookie: 'theme=dark; shopper=ada' }
const page = { ...json, ...ada, origin: shopOrigin }
const post = (headers: Record<string, string>, body: string): RequestInit => ({
  method: 'POST',
  headers,
  body,
})
const gold = '{"params":{"product_id":"gold-100"}}'
const refusal = (code: string): object => ({ error: { code } })

const token: Row[] = [
  {
    name: 'POST /token begins a purchase',
    path: '/token',
    init: post(page, gold),
    status: 200,
    headers: { 'cache-control': 'no-store', 'content-type': 'application/json' },
    body: { params: { product_id: 'gold-100', quote_amount: '0.99', custom_id: 'ada' } },
    learn: ({ purchaseId, accessToken }) => ({
      purchaseId: String(purchaseId),
      accessToken: String(accessToken),
    }),
  },
  {
    name: 'POST /token passes the Authorization on',
    path: '/token',
    init: post({ ...json, origin: shopOrigin, authorization: 'shopper bob' }, gold),
    status: 200,
    body: { params: { custom_id: 'bob' } },
  },
  {
    name: 'POST /token takes no price from the page',
    path: '/token',
    init: post(page, '{"params":{"product_id":"gold-100","quote_amount":"0.01"}}'),
    status: 200,
    body: { params: { quote_amount: '0.99' } },
  },
  {
    name: 'POST /token passes on that the shop refuses',
    path: '/token',
    init: post(page, '{"params":{"product_id":"lead-1"}}'),
    status: 403,
    body: { error: { code: 'purchase_refused', message: 'We do not sell that.' } },
  },
  {
    name: 'POST /token refuses a page of another origin',
    path: '/token',
    init: post({ ...page, origin: 'https://stranger.example' }, gold),
    status: 403,
    headers: { 'access-control-allow-origin': null },
    body: refusal('forbidden_origin'),
  },
  {
    name: 'POST /token refuses a cookie without an origin',
    path: '/token',
    init: post({ ...json, ...ada }, gold),
    status: 403,
    body: refusal('forbidden_origin'),
  },
  {
    name: 'POST /token refuses nobody',
    path: '/token',
    init: post({ ...json, origin: shopOrigin }, gold),
    status: 401,
    body: refusal('unauthorized'),
  },
  {
    name: 'POST /token refuses what is not JSON',
    path: '/token',
    init: post({ ...page, 'content-type': 'text/plain' }, gold),
    status: 415,
    body: refusal('unsupported_media_type'),
  },
  {
    name: 'POST /token refuses what is no object',
    path: '/token',
    init: post(page, '[]'),
    status: 400,
    body: refusal('invalid_request'),
  },
  {
    name: 'POST /token refuses a body of 17 KB',
    path: '/token',
    init: post(page, JSON.stringify({ params: { product_id: 'x'.repeat(17_000) } })),
    status: 413,
    body: refusal('too_large'),
  },
  {
    name: 'OPTIONS /token tells the shop’s page what it may send',
    path: '/token',
    init: { method: 'OPTIONS', headers: { origin: shopOrigin, 'access-control-request-method': 'POST' } },
    status: 204,
    headers: { 'access-control-allow-origin': shopOrigin },
  },
  {
    name: 'OPTIONS /token tells a foreign page nothing',
    path: '/token',
    init: {
      method: 'OPTIONS',
      headers: { origin: 'https://stranger.example', 'access-control-request-method': 'POST' },
    },
    status: 403,
    headers: { 'access-control-allow-origin': null },
  },
]

const launch: Row[] = [
  {
    name: 'POST /launch gives an address without the token',
    path: '/launch',
    init: post(page, '{"params":{"product_id":"gold-100"}}'),
    status: 200,
    body: { launchUrl: /\/launch\?ticket=/ },
    learn: ({ launchUrl }) => ({ launchPath: String(launchUrl).replace(/^.*(?=\/launch\?)/, '') }),
  },
  {
    name: 'GET /launch with a ticket leads to the widget',
    path: ({ launchPath }) => launchPath,
    init: { headers: ada },
    status: 303,
    headers: {
      location: /product_id=gold-100/,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  },
  {
    name: 'GET /launch as a link leads to the widget',
    path: '/launch?product_id=gold-100&locale=de',
    init: { headers: ada },
    status: 303,
    headers: { location: /quote_amount=0\.99/ },
  },
  {
    name: 'GET /launch refuses a ticket that nobody gave',
    path: '/launch?ticket=AAAA',
    status: 403,
    body: refusal('forbidden'),
  },
  {
    name: 'GET /launch begins nothing for a prefetch',
    path: '/launch?product_id=gold-100',
    init: { headers: { ...ada, 'sec-purpose': 'prefetch' } },
    status: 403,
    body: refusal('forbidden'),
  },
]

const returns: Row[] = [
  {
    name: 'GET /return/:id is a page that the shop may frame',
    path: ({ purchaseId }) => `/return/${purchaseId}`,
    status: 200,
    headers: { 'content-security-policy': `frame-ancestors ${shopOrigin}`, 'content-type': 'text/html' },
    body: /shop\.example\/thanks/,
  },
  {
    name: 'GET /return/:id/failed, with more appended, is one too',
    path: ({ purchaseId }) => `/return/${purchaseId}/failed?order_id=1`,
    status: 200,
    body: /failure/,
  },
  { name: 'GET /return/:id of no purchase is a page', path: '/return/doctordoctordoctor0000', status: 200 },
]

const orders: Row[] = [
  {
    name: 'GET /purchases/:id says that it is paid, and matched',
    path: ({ purchaseId }) => `/purchases/${purchaseId}`,
    init: { headers: ada },
    eventually: true,
    status: 200,
    body: { status: 'complete', state: 'matched' },
  },
  {
    name: 'GET /purchases/:id says nothing to another shopper',
    path: ({ purchaseId }) => `/purchases/${purchaseId}`,
    init: { headers: { cookie: 'shopper=mallory' } },
    status: 200,
    body: { status: 'none', order: null },
  },
  {
    name: 'GET /orders lists the shopper’s',
    path: '/orders',
    init: { headers: ada },
    status: 200,
    body: /"type":"order_complete"/,
  },
  {
    name: 'GET /orders/:id gives one',
    path: ({ orderId }) => `/orders/${orderId}`,
    init: { headers: ada },
    status: 200,
    body: { order: { type: 'order_complete' } },
  },
  {
    name: 'GET /orders/:id gives none of another shopper',
    path: ({ orderId }) => `/orders/${orderId}`,
    init: { headers: { cookie: 'shopper=mallory' } },
    status: 404,
    body: refusal('not_found'),
  },
]

const users: Row[] = [
  {
    name: 'POST /user creates one',
    path: '/user',
    init: post(
      page,
      JSON.stringify({
        phone: '+14155550123',
        first_name: 'Ada',
        last_name: 'Lovelace',
        date_of_birth: '1990-12-10',
        country_of_residence: 'USA',
        email: 'lovelace@example.com',
        state_of_residence: 'CA',
      }),
    ),
    status: 201,
    learn: ({ user_id }) => ({ userId: String(user_id) }),
  },
  {
    name: 'GET /user gives state and limits',
    path: '/user',
    init: ({ userId }) => ({ headers: { cookie: `shopper=ada:${userId}` } }),
    status: 200,
    body: /fkyc_status/,
  },
  {
    name: 'GET /subscriptions lists the shopper’s',
    path: '/subscriptions',
    init: ({ userId }) => ({ headers: { cookie: `shopper=ada:${userId}` } }),
    status: 200,
    body: { subscriptions: [] },
  },
]

const webhooks: Row[] = [
  {
    name: 'POST /webhook/:key is acknowledged',
    path: ({ webhookKey }) => `/webhook/${webhookKey}`,
    init: ({ orderId }) => post(json, JSON.stringify({ order_id: orderId })),
    status: 202,
    body: { received: true },
  },
  {
    name: 'POST /webhook without the key is acknowledged too',
    path: '/webhook',
    init: ({ orderId }) => post(json, JSON.stringify({ order_id: orderId })),
    status: 202,
  },
]

const rest: Row[] = [
  {
    name: 'GET /purchase-widget.js gives the loader’s script',
    path: '/purchase-widget.js',
    status: 200,
    headers: { 'content-type': 'text/javascript', etag: /^"[0-9a-f]{40}"$/ },
    learn: (_, { headers }) => ({ etag: headers.get('etag') ?? '' }),
  },
  {
    name: 'GET /purchase-widget.js again gives 304',
    path: '/purchase-widget.js',
    init: (known) => ({ headers: { 'if-none-match': known.etag } }),
    status: 304,
  },
  { name: 'GET of no route gives 404', path: '/nothing', status: 404, body: refusal('not_found') },
  {
    name: 'PUT gives 405 and the method',
    path: '/token',
    init: { method: 'PUT' },
    status: 405,
    headers: { allow: 'POST' },
  },
  {
    name: 'GET of a path that cannot be decoded gives 404',
    path: '/orders/%E0%A4%A',
    init: { headers: ada },
    status: 404,
    body: refusal('not_found'),
  },
  {
    name: 'the 21st call of a shopper within a minute gives 429',
    path: '/orders',
    init: { headers: { cookie: 'shopper=eager' } },
    times: 21,
    status: 429,
    headers: { 'retry-after': /^\d+$/ },
    body: refusal('too_many_requests'),
  },
  // Last: workerd ends the connection of a body that is not read to its end, and what is sent on it next may be lost.
  {
    name: 'POST /webhook refuses 70 KB',
    path: ({ webhookKey }) => `/webhook/${webhookKey}`,
    init: post(json, JSON.stringify({ more: 'x'.repeat(70_000) })),
    status: 413,
    body: refusal('too_large'),
  },
]

/** Before anybody has paid, and after. */
export const beforeSale: readonly Row[] = [...token, ...launch, ...returns]
export const afterSale: readonly Row[] = [...orders, ...users, ...webhooks, ...rest]

/** A shopper without a browser: keeps the session cookie that the shop gave. */
import type { Fulfilled } from '../fulfilled.ts'

/** What `POST /token` answers, as far as these tests need it. */
export interface Grant {
  purchaseId: string
  accessToken: string
  /** Every parameter of the widget's address but the token. */
  params: Record<string, string>
}

export interface Visitor {
  /** The `custom_id` that the shop has given. */
  customId(): string
  get<Data>(path: string): Promise<Data>
  /** Begins a purchase, as the loader does. `wished` is what the page asks for. */
  begin(productId: string, wished?: Record<string, string>): Promise<Grant>
  fulfilled(): Promise<Fulfilled>
}

export async function visit(shopUrl: string): Promise<Visitor> {
  const cookie = cookieIn(await fetch(`${shopUrl}/`, { headers: { connection: 'close' } }))

  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(shopUrl + path, {
      method,
      // A connection that is kept may be closed by the shop in the moment in which it is used again.
      headers: { connection: 'close', cookie, origin: shopUrl, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response
  }

  const get = async <Data>(path: string): Promise<Data> => (await (await send('GET', path)).json()) as Data

  return {
    customId: () => cookie.replace(/^shopper=/, '').split('.')[0] ?? '',
    get,
    async begin(productId, wished = {}) {
      const params = { ...wished, product_id: productId }
      return (await (await send('POST', '/api/purchase-widget/token', { params })).json()) as Grant
    },
    fulfilled: () => get('/api/shop/deliveries'),
  }
}

const cookieIn = (response: Response): string => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

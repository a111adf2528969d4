/** A shopper without a browser: keeps the session cookie that the shop gave. */
import type { Fulfilled } from '../exchange.ts'

/** What `POST /token` answers, as far as these tests need it. */
export interface Grant {
  accessToken: string
  /** Every parameter of the widget's address but the token. */
  params: Record<string, string>
}

export interface Visitor {
  /** Begins a purchase, as the loader does. `wished` is what the page asks for. */
  begin(productId: string, wished?: Record<string, string>): Promise<Grant>
  fulfilled(): Promise<Fulfilled>
}

export async function visit(shopUrl: string): Promise<Visitor> {
  const cookie = cookieIn(await fetch(`${shopUrl}/`, { headers: { connection: 'close' } }))

  async function ask<Data>(path: string, body?: unknown): Promise<Data> {
    const response = await fetch(shopUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      // A connection that is kept may be closed by the shop in the moment in which it is used again.
      headers: { connection: 'close', cookie, origin: shopUrl, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Data
  }

  return {
    begin: (productId, wished = {}) =>
      ask('/api/purchase-widget/token', { params: { ...wished, product_id: productId } }),
    fulfilled: () => ask('/api/shop/deliveries'),
  }
}

const cookieIn = (response: Response): string => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** A shopper without a browser: keeps the session cookie that the shop gave. */

/** What `POST /token` answers, as far as these tests need it. */
export interface Grant {
  purchaseId: string
  accessToken: string
  /** Every parameter of the widget's address but the token. */
  params: Record<string, string>
}

/** What the shop has done about this shopper's orders. */
export interface Fulfilled {
  delivered: { orderId: string; productId: string }[]
  held: string[]
}

export interface Visitor {
  /** The `custom_id` that the shop has given. */
  customId(): string
  get<Data>(path: string): Promise<Data>
  /** Begins a purchase, as the loader does. `wished` is what the page asks for. */
  begin(productId: string, wished?: Record<string, string>): Promise<Grant>
  fulfilled(): Promise<Fulfilled>
  /** The ids of the orders that were delivered. */
  delivered(): Promise<string[]>
  signIn(name: string): Promise<void>
  signOut(): Promise<void>
}

export async function visit(shopUrl: string): Promise<Visitor> {
  let cookie = cookieIn(await fetch(`${shopUrl}/`, { headers: { connection: 'close' } }))

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
    delivered: async () =>
      (await get<Fulfilled>('/api/shop/deliveries')).delivered.map(({ orderId }) => orderId),
    async signIn(name) {
      cookie = cookieIn(await send('POST', '/api/shop/session', { name }))
    },
    async signOut() {
      cookie = cookieIn(await send('DELETE', '/api/shop/session'))
    },
  }
}

const cookieIn = (response: Response): string => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

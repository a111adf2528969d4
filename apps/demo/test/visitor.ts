/** A shopper without a browser: keeps the session cookie that the shop gave. */

export interface Visitor {
  /** The `custom_id` that the shop has given. */
  customId: string
  get<Data>(path: string): Promise<Data>
}

export async function visit(shopUrl: string): Promise<Visitor> {
  const response = await fetch(`${shopUrl}/`)
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return visitorWith(shopUrl, cookie)
}

/** Whoever has this cookie. */
function visitorWith(shopUrl: string, cookie: string): Visitor {
  return {
    customId: cookie.replace(/^shopper=/, '').split('.')[0] ?? '',
    async get<Data>(path: string) {
      const response = await fetch(shopUrl + path, { headers: { cookie } })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as Data
    },
  }
}

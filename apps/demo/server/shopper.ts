import { randomBytes } from 'node:crypto'
import { parseSigned, serializeSigned } from 'hono/utils/cookie'

const COOKIE = 'shopper'
const THIRTY_DAYS = 30 * 24 * 60 * 60

export interface Shoppers {
  /** Who sent this request, by the signed cookie; null for a stranger or a forged cookie. */
  recognise(request: Request): Promise<string | null>
  /** A new shopper's `Set-Cookie` value. A real shop does this at sign-in. */
  welcome(): Promise<string>
}

/** Shoppers of the demo: a random `custom_id` each, in a signed, HttpOnly, SameSite=Lax session cookie. */
export function createShoppers(secret: string): Shoppers {
  return {
    async recognise(request) {
      const cookies = await parseSigned(request.headers.get('cookie') ?? '', secret, COOKIE)
      return cookies[COOKIE] || null
    },
    welcome: () =>
      serializeSigned(COOKIE, `shopper-${randomBytes(5).toString('hex')}`, secret, {
        path: '/',
        httpOnly: true,
        sameSite: 'Lax',
        maxAge: THIRTY_DAYS,
      }),
  }
}

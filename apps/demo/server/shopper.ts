/** Who a visitor is: a guest with the id of a signed session cookie. */
import { randomBytes } from 'node:crypto'
import { parseSigned, serializeSigned } from 'hono/utils/cookie'

const COOKIE = 'shopper'
const THIRTY_DAYS = 30 * 24 * 60 * 60

/** The `custom_id` on the wire; null without a cookie, and for a forged one. */
export async function shopperOf(request: Request, secret: string): Promise<string | null> {
  const cookies = await parseSigned(request.headers.get('cookie') ?? '', secret, COOKIE)
  return cookies[COOKIE] || null
}

/** A new guest's `Set-Cookie` value. */
export const welcome = (secret: string): Promise<string> =>
  serializeSigned(COOKIE, `guest-${randomBytes(8).toString('hex')}`, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: THIRTY_DAYS,
  })

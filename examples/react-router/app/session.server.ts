/** Who a visitor is: a guest with a signed cookie. Its end is inside, because copies of a cookie live on. */
import { createCookie } from 'react-router'

const DAY = 24 * 60 * 60 * 1000
const cookie = createCookie('session', {
  secrets: [process.env.SESSION_SECRET ?? crypto.randomUUID()],
  httpOnly: true,
  sameSite: 'lax',
  secure: process.env.NODE_ENV === 'production',
})

export async function shopperOf(request: Request): Promise<string | null> {
  const session = await cookie.parse(request.headers.get('cookie'))
  return session?.until > Date.now() ? session.shopper : null
}

/** A guest's new `Set-Cookie`. */
export const welcome = (): Promise<string> =>
  cookie.serialize({ shopper: crypto.randomUUID(), until: Date.now() + DAY })

/** Who a visitor is: a guest with an id of the session, until they sign in by name. */
import { createHash, randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { parseSigned, serializeSigned } from 'hono/utils/cookie'

const COOKIE = 'shopper'
const THIRTY_DAYS = 30 * 24 * 60 * 60

export interface Shopper {
  /** The `custom_id` on the wire. */
  id: string
  /** The guests that this member was before signing in, newest first: what they bought is theirs. */
  formerly: readonly string[]
}

export interface Shoppers {
  /** Who sent this request, by the signed cookie; null for a stranger or a forged cookie. */
  recognise(request: Request): Promise<Shopper | null>
  /** A new guest's `Set-Cookie` value. */
  welcome(): Promise<string>
  /**
   * The `Set-Cookie` value of the member of this name. There are no passwords, because the shop is a demo: everybody who knows the name
   * is that member.
   */
  signIn(name: string, guest: Shopper): Promise<string>
}

export function createShoppers(database: DatabaseSync, secret: string): Shoppers {
  const insert = database.prepare(
    'INSERT INTO former_guests (guest, member) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const select = database.prepare(
    'SELECT guest FROM former_guests WHERE member = ? ORDER BY rowid DESC LIMIT 20',
  )

  const cookieOf = (id: string): Promise<string> =>
    serializeSigned(COOKIE, id, secret, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: THIRTY_DAYS })

  return {
    async recognise(request) {
      const cookies = await parseSigned(request.headers.get('cookie') ?? '', secret, COOKIE)
      const id = cookies[COOKIE]
      if (!id) return null
      return { id, formerly: isMember(id) ? select.all(id).map(({ guest }) => String(guest)) : [] }
    },
    welcome: () => cookieOf(`guest-${randomBytes(8).toString('hex')}`),
    async signIn(name, guest) {
      const member = memberId(name)
      if (!isMember(guest.id)) insert.run(guest.id, member)
      return cookieOf(member)
    },
  }
}

const MEMBER = 'member-'

export const isMember = (id: string): boolean => id.startsWith(MEMBER)

/** The same for `Ada` and ` ada `. It is no place for the name: the id goes to the service. */
const memberId = (name: string): string =>
  MEMBER + createHash('sha256').update(name.normalize('NFKC').trim().toLowerCase()).digest('hex').slice(0, 16)

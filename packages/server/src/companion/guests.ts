/** Shoppers without an account: each has a random id in a signed cookie. */
import { parseSigned, serializeSigned } from 'hono/utils/cookie'
import { misconfigured } from '../errors.ts'
import { type Checks, checkOptions, isFunction, must } from '../options.ts'
import type { Authorized, AuthorizedShopper, CompanionOptions } from './options.ts'
import { isProduction } from './place.ts'

export interface GuestsOptions {
  /**
   * Signs the cookie: at least 32 random characters, the same on every instance, such as the environment's `SESSION_SECRET`. It is checked
   * on the first request, so a build needs none.
   */
  secret: string | undefined
  /** Identifies a signed-in shopper, like the companion's own `authorize`. They keep the purchases of their time as a guest. Null: a guest. */
  authorize?: CompanionOptions['authorize']
}

const TWO_WEEKS = 14 * 24 * 60 * 60

/**
 * An `authorize` for shops that sell without an account. A new guest gets an `HttpOnly`, `SameSite=Lax` cookie, which is `Secure` on https
 * and in production. It is valid for two weeks; after that, and with a forged cookie, the shopper becomes a new guest.
 *
 * The cookie is set with the first purchase. A page that opens several widgets at once calls this function itself and sends the `setCookie`,
 * so that they do not create a guest each.
 *
 * @example
 * createCompanion({ authorize: guests({ secret: process.env.SESSION_SECRET }), createPurchase, onOrder })
 */
export function guests(options: GuestsOptions): (request: Request, context?: unknown) => Promise<Authorized> {
  checkOptions('guests', options, checks)
  const { secret, authorize } = options
  return async (request, context) => {
    const key = keyOf(secret)
    const authorized = await authorize?.(request, context)
    if (authorized instanceof Response) return authorized
    const guest = await readGuest(request, key)
    if (!authorized) return guest === null ? createGuest(request, key) : { customId: guest }
    if (guest === null) return authorized
    return { ...authorized, formerly: [...(authorized.formerly ?? []), guest] }
  }
}

const checks: Checks<GuestsOptions> = {
  secret: must((value) => typeof value === 'string', 'be text'),
  authorize: must(isFunction, 'be a function of the request'),
}

const SHORTEST_SECRET = 32

/** A key of its own, so that nothing else that the shop signs with the secret can be used as a guest's cookie. */
function keyOf(secret: string | undefined): string {
  if (typeof secret === 'string' && secret.length >= SHORTEST_SECRET) return `purchase widget guest ${secret}`
  throw misconfigured(
    `guests needs a secret of at least ${SHORTEST_SECRET} random characters, such as the environment's SESSION_SECRET.`,
  )
}

/** In production too where the request shows http: a proxy ends TLS in front of it. */
const isSecure = ({ url }: Request): boolean => url.startsWith('https:') || isProduction()

/** No other host of the site can set a cookie with this prefix, which browsers accept in a secure cookie only. */
const nameFor = (request: Request): string => (isSecure(request) ? '__Host-purchase_guest' : 'purchase_guest')

/** The guest's id; null without a cookie, and for a forged or expired one. */
async function readGuest(request: Request, key: string): Promise<string | null> {
  const name = nameFor(request)
  const { [name]: value } = await parseSigned(request.headers.get('cookie') ?? '', key, name)
  const [id, until] = value ? value.split('.') : []
  // The expiry is inside the signed value: neither the browser's clock nor a copied cookie can be trusted.
  return id !== undefined && Number(until) > Date.now() ? id : null
}

async function createGuest(request: Request, key: string): Promise<AuthorizedShopper> {
  const customId = `guest_${crypto.randomUUID()}`
  const value = `${customId}.${Date.now() + TWO_WEEKS * 1000}`
  const setCookie = await serializeSigned(nameFor(request), value, key, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(request),
    maxAge: TWO_WEEKS,
  })
  return { customId, setCookie }
}

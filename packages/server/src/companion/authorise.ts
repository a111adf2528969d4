/** The checks of a shopper's request: its origin, its session, and its rate limit. */

import { InvalidInputError } from '../errors.ts'
import { readCustomId } from '../purchase/carrier.ts'
import { isStorable } from '../purchase/fields.ts'
import { type Caller, idOf, type Shopper } from '../purchase/shopper.ts'
import { isText } from '../unknown.ts'
import { Refusal } from './answer.ts'
import type { Ctx, Guard, Identified } from './context.ts'
import { checkFetchSite, checkNavigation, checkOrigin, openedBy } from './guard.ts'
import type { Authorized } from './options.ts'

export const shopperOnly =
  (allowance: string): Guard =>
  async (c, next) => {
    await authorise(c, allowance)
    await next()
  }

/**
 * Admits only shoppers, and sets `caller`.
 *
 * @param allowance the name under which its calls are counted: each route has its own. Null for a link, which another site may have opened.
 */
export async function authorise(c: Ctx, allowance: string | null): Promise<void> {
  const identified = await identify(c, allowance)
  count(c, allowance, identified)
  const { caller, setCookie } = identified
  // A new guest keeps the cookie even if the answer is a refusal: it belongs to the purchase that they requested.
  if (setCookie !== undefined) c.res.headers.append('set-cookie', setCookie)
  c.set('caller', caller)
}

/**
 * Null without a session (a frame or a webview may send no cookies), for a new guest, and for a link whose session must not be used, such as
 * in another site's frame. None is counted here, so that calls without a cookie do not use up the allowance of the guests at the same address.
 *
 * @param allowance null for a link.
 */
export async function sessionOf(c: Ctx, allowance: string | null): Promise<Caller | null> {
  const withoutSession = allowance === null ? ['unauthorized', 'forbidden_origin'] : ['unauthorized']
  const identified = await identify(c, allowance).catch((error: unknown) => {
    if (error instanceof Refusal && withoutSession.includes(error.code)) return null
    throw error
  })
  if (identified === null || identified.setCookie !== undefined) return null
  count(c, allowance, identified)
  return identified.caller
}

/** Rejects with a `Refusal` when no shopper is signed in, or when the request must not come from its origin. */
async function identify(c: Ctx, allowance: string | null): Promise<Identified> {
  const isCall = allowance !== null
  const check = !isCall ? checkNavigation : c.req.method === 'POST' ? checkOrigin : checkFetchSite
  check(c.req.raw, c.get('place')())
  const authorized = await c.get('authorize')()
  // A sign-in page is for a window; a script reads the refusal.
  return checkShopper(isCall && authorized instanceof Response ? null : authorized)
}

/**
 * Links opened by the shop's own pages or without a page, links from elsewhere, and navigations that another site began by itself have an
 * allowance each, so that another site cannot use up the shopper's. A new guest is counted by network alone, since each one has a new id.
 */
function count(c: Ctx, allowance: string | null, { caller, setCookie }: Identified): void {
  const counted = allowance ?? `launch ${openedBy(c.req.raw, c.get('place')().origin)}`
  const { limits } = c.get('services')()
  const network = c.get('network')
  if (setCookie === undefined) limits.shopper(`${counted} ${idOf(caller.shopper)}`)
  if (network !== null) limits.address(`${counted} ${network}`)
}

const MAX_FORMER_IDS = 20

/** @throws Refusal when no shopper is signed in; InvalidInputError when the merchant's `authorize` returns no valid id. */
function checkShopper(authorized: Authorized): Identified {
  if (!authorized || authorized instanceof Response) {
    throw new Refusal('unauthorized', 'Sign in first.', { instead: authorized })
  }
  const { customId, userId, formerly = [] } = authorized
  const ids = [customId, userId].filter((id) => id !== undefined)
  if (ids.length === 0 || !ids.every(isId) || !Array.isArray(formerly) || !formerly.every(isId)) {
    throw new InvalidInputError(
      'authorize',
      'authorize() must return a customId, a userId or both, and formerly as a list of ids, without NUL or half pairs of UTF-16; or null for nobody.',
    )
  }
  if ([customId, ...formerly].some((id) => readCustomId(id) !== null)) {
    throw new InvalidInputError(
      'authorize',
      'authorize() must not return the custom_id of a purchase, purchase_ and 22 characters, as a customId or in formerly: give shoppers ids of their own.',
    )
  }
  // The merchant's own user may have more fields, such as an e-mail address, which the record of a purchase must not keep.
  const shopper = { customId, userId } as Shopper
  return { caller: { shopper, formerly: formerly.slice(-MAX_FORMER_IDS) }, setCookie: authorized.setCookie }
}

export const isId = (id: unknown): boolean => isText(id) && isStorable(id)

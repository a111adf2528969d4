/** The merchant's page where a purchase is begun: a shopper whose payment was declined goes back to it. */
import { withoutReturned } from '../purchase/returnAddress.ts'
import type { Ctx } from './context.ts'
import { originOf } from './guard.ts'

const LONGEST_REFERER = 2_000

/** The `Referer`, where it is a page of an allowed origin; else the front page of the shop. */
export function begunOn({ req: { raw: request }, var: { origins, url } }: Ctx): string {
  const shops = webOrigins(origins())
  const referer = request.headers.get('referer') ?? ''
  const isShops = referer.length <= LONGEST_REFERER && shops.includes(originOf(referer))
  const host = shops.find((origin) => origin === request.headers.get('origin'))
  return isShops ? withoutReturned(referer) : new URL('/', host ?? shops[0] ?? url()).href
}

/** The origins that a browser can open or frame: an app has one of its own. */
export const webOrigins = (origins: readonly string[]): string[] =>
  origins.filter((origin) => /^https?:/.test(origin))

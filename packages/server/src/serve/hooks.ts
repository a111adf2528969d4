/** The three hooks of the shop's backend: their requests, and their answers, which are validated once on arrival. */
import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isSafe } from '../client/settings.ts'
import { isId } from '../companion/authorise.ts'
import { createPendingLimiter, networkOf } from '../companion/limits.ts'
import type { Authorized, CompanionOptions } from '../companion/options.ts'
import { PurchaseRefused } from '../errors.ts'
import type { CreatePurchase, OnOrder, OrderEvent, PurchaseDecision } from '../purchase/purchase.ts'
import { parseJson } from '../unknown.ts'
import type { HookAddress } from './configuration.ts'
import { type CallHook, HookError, type HookName, MAX_CALLS } from './hook.ts'
import type { Log } from './log.ts'

/** Nobody has been counted before `authorize` has answered: calls of one network must leave places to the others. */
const CALLS_OF_NETWORK = MAX_CALLS / 4

/**
 * @param companionUrl base of a relative `location`.
 * @returns a function that takes the caller's network address as its context.
 */
export function authorizeByHook(
  callHook: CallHook,
  hook: HookAddress,
  companionUrl: string,
): CompanionOptions['authorize'] {
  const limited = createPendingLimiter(CALLS_OF_NETWORK)
  return async ({ headers }, address = null) => {
    const cookie = headers.get('cookie')
    const authorization = headers.get('authorization')
    const call = (): Promise<string | null> =>
      callHook({
        ...hook,
        name: 'authorize',
        id: `authorize_${randomUUID()}`,
        body: { cookies: cookiesOf(cookie), authorization, address },
        // With these the shop's own session works as in any other request.
        headers: {
          ...(cookie === null ? {} : { cookie }),
          ...(authorization === null ? {} : { authorization }),
        },
      })
    const answer = await (typeof address === 'string' ? limited(networkOf(address), call) : call())
    if (answer === null) return null
    const named = readAuthorizeAnswer(answer)
    if (!('location' in named)) return named
    return Response.redirect(new URL(named.location, companionUrl).href, 303)
  }
}

export function createPurchaseByHook(callHook: CallHook, hook: HookAddress): CreatePurchase {
  return async ({ shopper, params }) => {
    const id = `purchase_${randomUUID()}`
    const answer = await callHook({ ...hook, name: 'createPurchase', id, body: { shopper, params } })
    const decision = readCreatePurchaseAnswer(answer ?? '')
    if (!('params' in decision)) throw new PurchaseRefused(decision.refused)
    return decision
  }
}

/** A signed 2xx completes the delivery. Anything else rejects, so that the companion retries, and finally lists it as a dead letter. */
export function onOrderByHook(callHook: CallHook, hook: HookAddress, log: Log): OnOrder {
  return async ({ order, purchase }) => {
    await callHook({ ...hook, name: 'onOrder', id: idOf(order), body: { order, purchase } })
    log('info', 'order_handled', { orderId: order.id, type: order.type, state: purchase.state })
  }
}

/** One id per order and state, the same on every attempt: the shop's unique key. A digest, since a header cannot hold arbitrary text. */
const idOf = ({ id, type }: Pick<OrderEvent['order'], 'id' | 'type'>): string =>
  `order_${createHash('sha256')
    .update(JSON.stringify([id, type]))
    .digest('base64url')}`

/** Who the shopper is, or where to sign in. */
export type AuthorizeAnswer = { location: string } | Exclude<Authorized, Response | null>

/** What is sold, or why nothing is: a sentence for the shopper. `checkDecision` checks the fields of a decision. */
export type CreatePurchaseAnswer = { refused: string } | PurchaseDecision

export const shopperId: z.ZodType<string> = z.string().max(200).refine(isId)
const formerly = z.array(shopperId).max(20).exactOptional()

/** A path that leads to another host, such as `//evil.example`, is not valid. */
function isAddressOrPath(location: string): boolean {
  const absolute = URL.parse(location)
  const shop = 'https://shop.example'
  if (absolute === null) return URL.parse(location, shop)?.origin === shop
  return isSafe(absolute) && !absolute.username && !absolute.password
}

/** Throws `HookError` for another answer, which names the shape and never a value. */
const reader =
  <Answer>(hook: HookName, shape: string, schema: z.ZodType<Answer>) =>
  (text: string): Answer => {
    const result = schema.safeParse(parseJson(text))
    if (!result.success) throw new HookError(hook, `must answer ${shape}.`)
    return result.data
  }

export const readAuthorizeAnswer: (text: string) => AuthorizeAnswer = reader(
  'authorize',
  '{ "customId": text, "userId"?: text, "formerly"?: [text] }, { "location": https address, or path of the shop } or 401',
  z.union([
    z.strictObject({ location: z.string().min(1).max(2_000).refine(isAddressOrPath) }),
    z.strictObject({ customId: shopperId, userId: shopperId.exactOptional(), formerly }),
    z.strictObject({ userId: shopperId, formerly }),
  ]),
)

export const readCreatePurchaseAnswer: (text: string) => CreatePurchaseAnswer = reader(
  'createPurchase',
  '{ "params": { name: text }, "returnUrl"?, "failReturnUrl"?, "open"?, "reference"?, "validFor"?: whole milliseconds } or { "refused": sentence }',
  z.union([
    z.strictObject({ refused: z.string().trim().min(1).max(500) }),
    z.looseObject({ params: z.record(z.string(), z.string()) }),
  ]),
)

/** The cookies of a request by name, undecoded: the first of a name counts, as in most languages. */
export function cookiesOf(header: string | null): Record<string, string> {
  const cookies = (header ?? '').split(';').flatMap((cookie): [string, string][] => {
    // No pattern for the whole: with many spaces it would take minutes.
    const at = cookie.indexOf('=')
    const value = cookie.slice(at + 1).trim()
    return at < 0 ? [] : [[cookie.slice(0, at).trim(), value.replace(/^"(.*)"$/, '$1')]]
  })
  return Object.fromEntries(cookies.reverse())
}

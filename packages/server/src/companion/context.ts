/** What guards and routes work with: Hono's context, with members of these names. */
import type { Context, Hono, MiddlewareHandler } from 'hono'
import type { Caller } from '../purchase/shopper.ts'
import type { QueueName } from '../stores/store.ts'
import type { RequestInfo } from './options.ts'
import { originOf, type Place } from './place.ts'
import type { Services } from './services.ts'

export interface Members {
  /** What the runtime says of the request. */
  info: RequestInfo
  /** The caller's address: for middleware of the merchant's Hono app to set, where rate limits are to count it. */
  callerAddress?: string
  /** The caller's network; null where the runtime does not say. */
  network: string | null
  /** Where the companion stands. Throws `InvalidInputError` in production when its address is not configured. */
  place: () => Place
  /** Made when first needed: throws while the configuration is incomplete. */
  services: () => Services
  /** Asks the merchant who is asking. */
  identifyCaller: () => Promise<Identified>
  /**
   * Has `close()` wait for this. Keeps a serverless runtime awake for it, and for what fulfilment has to do after it, in the
   * unauthenticated queue too if that is named.
   */
  keepAwake: (work: Promise<unknown>, queue?: QueueName) => void
  /** The purchase that a link or ticket names, for its page where it is refused. */
  opening?: Opening
  /** Who asks: set by `shopperOnly`. */
  caller: Caller
  /** The body as text: set by `textBody` and `jsonBody`. */
  text: string
  /** The body as a JSON object: set by `jsonBody`. */
  body: Readonly<Record<string, unknown>>
}

/** A shopper who asks. With `setCookie` they are new: the request itself has no session yet. */
export interface Identified {
  readonly caller: Caller
  readonly setCookie: string | undefined
}

export interface Opening {
  readonly purchaseId: string
  /** Null while it is not known who asks. */
  readonly caller: Caller | null
  /** Of the page that may be waiting for it. */
  readonly hostOrigin: string
  /** What is tried again: a link's own address, or, of a ticket, what its page does. */
  readonly retry: 'address' | 'host'
}

export interface CompanionEnv {
  /** `companion.fetch` hands on what it was given; in a Hono app of the merchant's it is whatever their runtime binds. */
  Bindings: { [given]?: RequestInfo }
  Variables: Members
}
export const given: unique symbol = Symbol('what companion.fetch was given')

export type App = Hono<CompanionEnv>
export type Ctx = Context<CompanionEnv>
export type Guard = MiddlewareHandler<CompanionEnv>
export type Handler = (c: Ctx) => Response | Promise<Response>

/** Null while the companion's address is not configured. */
export function placeIfKnown(c: Ctx): Place | null {
  try {
    return c.get('place')()
  } catch {
    return null
  }
}

/** Whether a return address is of a page of the shop's. */
export const allowedBy =
  (c: Ctx) =>
  (address: string): boolean =>
    c.get('place')().shops.includes(originOf(address))

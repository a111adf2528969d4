/** The context of guards and routes: Hono's, with members of these names. */
import type { Context, Hono, MiddlewareHandler } from 'hono'
import type { Caller } from '../purchase/shopper.ts'
import type { QueueName } from '../stores/store.ts'
import { unlessThrows } from '../unknown.ts'
import type { Authorized, RequestInfo } from './options.ts'
import { originOf, type Place } from './place.ts'
import type { Services } from './services.ts'

export interface Members {
  info: RequestInfo
  /** The caller's address: set by middleware of the merchant's Hono app, for the rate limits. */
  callerAddress?: string
  /** The caller's network; null if the runtime does not report it. */
  network: string | null
  /** The companion's address and origins. Throws `InvalidInputError` in production when its address is not configured. */
  place: () => Place
  /** Created on first use: throws while the configuration is incomplete. */
  services: () => Services
  /** The merchant's own, for this request. */
  authorize: () => Promise<Authorized>
  /**
   * Makes `close()` wait for this work. Keeps a serverless runtime awake for it, and for the fulfilment that follows, in the
   * unauthenticated queue too if that is named.
   */
  keepAwake: (work: Promise<unknown>, queue?: QueueName) => void
  /** The purchase that a link or ticket names, for the page that shows its refusal. */
  opening?: Opening
  /** The shopper who makes the request: set by `authorise`, or from a ticket. */
  caller: Caller
}

/** A shopper who makes a request. With `setCookie` they are new: the request itself has no session yet. */
export interface Identified {
  readonly caller: Caller
  readonly setCookie: string | undefined
}

export interface Opening {
  readonly purchaseId: string
  /** Origin of the page that may be waiting for it. */
  readonly hostOrigin: string
  /** How to retry: a link by its own address, a ticket by its page. */
  readonly retry: 'address' | 'host'
}

export interface CompanionEnv {
  /** `companion.fetch` passes on its argument; in a merchant's Hono app it is whatever their runtime binds. */
  Bindings: { [given]?: RequestInfo }
  Variables: Members
}
export const given: unique symbol = Symbol('what companion.fetch was given')

export type App = Hono<CompanionEnv>
export type Ctx = Context<CompanionEnv>
export type Guard = MiddlewareHandler<CompanionEnv>
export type Handler = (c: Ctx) => Response | Promise<Response>

/** Null while the companion's address is not configured. */
export const placeIfKnown = (c: Ctx): Place | null => unlessThrows(c.get('place')) ?? null

/** Whether a return address belongs to a page of the shop. */
export const allowedBy =
  (c: Ctx) =>
  (address: string): boolean =>
    c.get('place')().shops.includes(originOf(address))

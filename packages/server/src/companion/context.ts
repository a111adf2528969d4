/** What a route works with. */
import type { Asker } from '../purchase/shopper.ts'
import type { Lane } from '../stores/store.ts'
import type { Answer } from './answer.ts'
import type { Services } from './services.ts'

/** One request, and the outside. */
export interface Visit {
  readonly request: Request
  /** The last segment of the path, for routes that end in an id. */
  readonly id: string
  /** The companion's public address, without a slash at the end. Throws `InvalidInputError` in production when it is not configured. */
  readonly url: () => string
  /** The origins of the merchant's own pages. */
  readonly origins: () => readonly string[]
  /** Whether an address is of the merchant's own. */
  readonly allowsReturnTo: (address: string) => boolean
  /** Made when first needed: throws while the configuration is incomplete. */
  readonly services: () => Services
  /** Says who asks. Rejects with a `Refusal` when nobody is signed in, or when the call may not be made from where it was. */
  readonly authorise: () => Promise<Asker>
  /** Counts what has no session to be counted by; a 429 `Refusal` when there was too much. */
  readonly limitStranger: () => Promise<void>
  /**
   * Has `close()` wait for this. Keeps a serverless runtime awake for it, and for what fulfilment has to do after it, in the lane of
   * strangers too if that is named.
   */
  readonly keepAwake: (work: Promise<unknown>, lane?: Lane) => void
}

/** A request of a shopper. */
export interface RouteContext extends Visit, Asker, Omit<Services, 'limits'> {}

/** A route that decides for itself who may ask. */
export type OpenHandler = (visit: Visit) => Promise<Answer>

/** A route that answers a shopper. */
export type Handler = (context: RouteContext) => Promise<Answer>

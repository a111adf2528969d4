/** The parts of a companion, created from its options on first use. */
import { LRUCache } from 'lru-cache'
import { clientFromEnv, type PurchaseClient } from '../client/createPurchaseClient.ts'
import { type ErrorContext, misconfigured } from '../errors.ts'
import { createFulfilment, type Fulfilment } from '../fulfilment/createFulfilment.ts'
import { causeOf, sentenceOf } from '../mistakes.ts'
import { createAssessor } from '../purchase/assess.ts'
import { type Begin, createBegin } from '../purchase/begin.ts'
import { createReadOrders } from '../purchase/readOrders.ts'
import {
  createFindPurchase,
  createReadStatus,
  createRefusals,
  type FindPurchase,
  type Reads,
  type Refusals,
} from '../purchase/status.ts'
import { createTickets, type Tickets } from '../purchase/ticket.ts'
import { createTurns, pacedClient } from '../reads/turns.ts'
import { memoryStore } from '../stores/memory.ts'
import { createTokenLease } from '../token/tokenLease.ts'
import { createLimiter, type Limiter } from './limits.ts'
import type { CompanionOptions } from './options.ts'
import { environment, isProduction } from './place.ts'
import { warnOf } from './report.ts'

export interface Services
  extends Reads,
    Required<Pick<CompanionOptions, 'client' | 'tokens' | 'store' | 'now'>> {
  readonly options: CompanionOptions
  readonly begin: Begin
  readonly tickets: Tickets
  readonly refusals: Refusals
  readonly findPurchase: FindPurchase
  /** The same for the return page, which has no rate limit: it takes nothing from the others. */
  readonly findReturned: FindPurchase
  /** The latest ids for which a link has created a purchase at this instance. */
  readonly seen: LRUCache<string, true>
  readonly fulfilment: Fulfilment
  readonly limits: Readonly<Record<'shopper' | 'address' | 'refused', Limiter>>
}

/** @throws InvalidInputError when the environment lacks a setting that the options do not have, and in production without a store. */
export function createServices(options: CompanionOptions, onError: OnError): Services {
  const { createPurchase, onOrder, now = Date.now, onOrderTimeout } = options
  const { perShopper = 60, perAddress = 600 } = options.rateLimit ?? {}
  const client = pacedClient(options.client ?? clientFromEnv(environment()), createTurns())
  if (!options.store && isProduction()) {
    throw misconfigured(sentenceOf(causeOf('store_missing', {})))
  }
  const store = options.store ?? memoryStore()
  warnOfSetup(options, client)
  const tokens = options.tokens ?? createTokenLease({ client, store, now })

  const assess = createAssessor({ store, client, now })
  const fulfilment = createFulfilment({
    client,
    tokens,
    store,
    ...(onOrder && { onOrder }),
    assess,
    onError,
    now,
    ...(onOrderTimeout === undefined ? {} : { onOrderTimeout }),
  })
  const readOrders = createReadOrders({ client, tokens, addJobs: fulfilment.addJobs, assess })
  const reads = createReadStatus({
    rows: store.purchases,
    // A page does not wait for a slow read to end.
    readOrders: (...asked) => fulfilment.keep(readOrders(...asked)),
    onError,
  })
  return {
    options,
    client,
    tokens,
    store,
    begin: createBegin({
      createPurchase,
      carrier: options.carry ?? 'return_url',
      rows: store.purchases,
      tokens,
      onError,
      now,
    }),
    tickets: createTickets({ client, now }),
    ...reads,
    refusals: createRefusals(store),
    findPurchase: createFindPurchase(store.purchases, onError),
    findReturned: createFindPurchase(store.purchases, onError, MAX_RETURNS),
    seen: new LRUCache({ max: MAX_SEEN }),
    now,
    fulfilment,
    limits: {
      shopper: createLimiter(perShopper),
      address: createLimiter(perAddress),
      refused: createLimiter(perAddress),
    },
  }
}

const MAX_SEEN = 10_000
/** Keeps a flood of forged returns from causing a flood of reads of the store. */
const MAX_RETURNS = 100

/** Receives every failure, and where it happened as far as that is known. */
export type OnError = (error: unknown, context?: ErrorContext) => void

/** Logs mistakes in the options and the environment, before the first purchase. */
function warnOfSetup(options: CompanionOptions, { widgetUrl }: PurchaseClient): void {
  if (!options.store) warnOf(causeOf('store_missing', {}))
  if (!options.onOrder) warnOf(causeOf('on_order_missing', {}))
  if (!options.createPurchase) warnOf(causeOf('create_purchase_missing', {}))
  if (widgetUrl.endsWith('/widget')) {
    const expected = widgetUrl.slice(0, -'/widget'.length)
    warnOf(causeOf('widget_url_path', { url: widgetUrl, expected }))
  }
}

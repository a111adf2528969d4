/** Whether a value can be a store, as far as the names of its functions show. */
import { canDo, isObject } from '../unknown.ts'
import type { Handled, Jobs, PurchaseRows, Store } from './store.ts'

type FunctionsOf<Part> = Record<keyof Part, true>

const own = {
  ...{ get: true, set: true, withLock: true, tryLock: true, close: true },
} satisfies FunctionsOf<Omit<Store, 'forgets' | 'purchases' | 'jobs' | 'handled'>>

const parts = {
  purchases: {
    ...{ begin: true, open: true, find: true, claim: true, record: true, settledFor: true, ofShopper: true },
    ...{ unsettled: true, renew: true, subscriptionsDue: true, checkSubscriptionAt: true, sweep: true },
  } satisfies FunctionsOf<PurchaseRows>,
  jobs: {
    ...{ add: true, claim: true, hold: true, complete: true, retry: true, bury: true },
    ...{ deadLetters: true, redrive: true },
  } satisfies FunctionsOf<Jobs>,
  handled: { has: true, add: true, sweep: true } satisfies FunctionsOf<Omit<Handled, 'addWithin'>>,
}

export const isStore = (value: unknown): boolean =>
  isObject(value) &&
  canDo(value, ...Object.keys(own)) &&
  Object.entries(parts).every(([name, functions]) => canDo(value[name], ...Object.keys(functions)))

/** `GET /subscriptions`, `POST /user` and `GET /user`: the shopper's subscriptions, and their user at the service. */
import type { CreatedUser, NewUser, Subscription, User } from '../../client/wire.ts'
import { within } from '../../deadline.ts'
import { isInvalidInputError, isRefusal, UnexpectedResponseError, whenUnknown } from '../../errors.ts'
import { subscriptionsOf } from '../../purchase/ofShopper.ts'
import { idOf } from '../../purchase/shopper.ts'
import { json, Refusal } from '../answer.ts'
import { readJson } from '../asked.ts'
import type { Handler } from '../context.ts'

/** A subscription as the shopper's browser may see it, where its dates are ISO 8601 strings. */
export type SubscriptionSummary = Pick<Subscription, (typeof subscriptionFields)[number]>

const subscriptionFields = [
  'product_id',
  'status',
  'start_date',
  'last_paid_date',
  'next_paid_date',
  'expire_date',
  'failed_to_paid',
  'next_paid',
  'interval_time',
] as const

const userFields = ['user_id', 'fkyc_status', 'lkyc_status', 'limits'] as const

/** A widget user as their own browser may see them: no name, phone, address or full card id. */
export interface UserSummary extends Pick<User, (typeof userFields)[number]> {
  linked_payment_methods: { method: string; cards: { brand?: string; last_digits?: string }[] }[]
}

export const listSubscriptions: Handler = async (c) => {
  const { client, store } = c.get('services')()
  const subscriptions = await subscriptionsOf(client, store.purchases, c.get('caller'))
  const summaries: SubscriptionSummary[] = subscriptions.map((one) => pick(one, subscriptionFields))
  return json({ subscriptions: summaries })
}

const HOUR = 3_600_000
const DONE = 'done'
/** As long as `onOrder` may take by default. */
const ON_USER_MS = 30_000

/**
 * `POST /user`: the body has the fields of section 4.6. One request at a time per shopper, and one user: until the merchant returns `userId`, the
 * store remembers the created user for an hour, so that `onUser` is called again if it has failed or has not settled in time.
 */
export const createUser: Handler = async (c) => {
  const { shopper } = c.get('caller')
  const { client, store, options } = c.get('services')()
  const user = (await readJson(c.req.raw)) as unknown as NewUser
  if (shopper.userId !== undefined) throw hasOne()
  const key = `user:${idOf(shopper)}`
  return store.withLock(key, async () => {
    const earlier = await store.get(key)
    if (earlier?.value === DONE) throw hasOne()
    const created = earlier
      ? (JSON.parse(earlier.value) as CreatedUser)
      : await client.users.create(user).catch(explain)
    await store.set(key, JSON.stringify(created), HOUR)
    await within(ON_USER_MS, (async () => options.onUser?.(created, shopper))(), 'onUser')
    await store.set(key, DONE, HOUR)
    return json({ user_id: created.user_id }, 201)
  })
}

const hasOne = (): Refusal => new Refusal('conflict', 'This shopper has a widget user already.')
const hasNone = (): Refusal => new Refusal('not_found', 'This shopper has no widget user yet.')

/** `GET /user`: status, limits and linked payment methods. */
export const oneUser: Handler = async (c) => {
  const { userId } = c.get('caller').shopper
  if (userId === undefined) throw hasNone()
  const user = await c.get('services')().client.users.retrieve({ user_id: userId }).catch(whenUnknown(null))
  if (!user) throw hasNone()
  // Another user's record is not for this shopper to see, and does not show that they have none.
  if (user.user_id !== userId) {
    throw new UnexpectedResponseError(
      'users.retrieve',
      'expected the user that was asked for, got another. Nothing of it was passed on.',
    )
  }
  return json({ user: summariseUser(user) })
}

/**
 * The shopper's input may be wrong: name the field, as our own check does. A refusal by the service always has the same answer, whatever its
 * status and text: those would reveal who else has signed up. `onError` receives it if it may be a mistake of the merchant's.
 */
function explain(error: unknown): never {
  if (isInvalidInputError(error)) throw new Refusal('invalid_request', error.problem)
  // A 401 is about the key.
  if (!isRefusal(error) || error.status === 401) throw error
  throw new Refusal('invalid_request', 'These details cannot be used. Check each of them, or use others.', {
    cause: error.status === 403 ? error : undefined,
  })
}

const summariseUser = (user: User): UserSummary => ({
  ...pick(user, userFields),
  linked_payment_methods: user.linked_payment_methods.map(({ method, cards }) => ({
    method,
    cards: cards.map((card) => pick(card, ['brand', 'last_digits'])),
  })),
})

function pick<From extends object, Field extends keyof From>(
  from: From,
  fields: readonly Field[],
): Pick<From, Field> {
  // Every missing field is optional, and left out of the JSON.
  return Object.fromEntries(fields.map((field) => [field, from[field]])) as Pick<From, Field>
}

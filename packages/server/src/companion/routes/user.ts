/** `GET /subscriptions`, `POST /user` and `GET /user`: what the shopper has, and who they are to the service. */

import { meansUnknown } from '../../client/meansUnknown.ts'
import type { Limits, NewUser, Subscription, User } from '../../client/wire.ts'
import { isApiError, isInvalidInputError } from '../../errors.ts'
import { owns } from '../../purchase/shopper.ts'
import { json, Refusal } from '../answer.ts'
import type { Handler } from '../context.ts'
import { readJson } from '../guard.ts'

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

/** A widget user as their own browser may see them: no name, phone, address or full card id. */
export interface UserSummary {
  user_id: string
  fkyc_status?: string
  lkyc_status?: string
  limits: Limits
  linked_payment_methods: { method: string; cards: { brand?: string; last_digits?: string }[] }[]
}

/** `GET /subscriptions`. */
export const listSubscriptions: Handler = async ({ shopper, client }) => {
  const { customId, userId } = shopper
  const query = customId === undefined ? { user_id: userId } : { custom_id: customId }
  const subscriptions = await client.subscriptions.list(query).catch((error: unknown) => {
    if (isApiError(error) && meansUnknown(error)) return []
    throw error
  })
  return json({ subscriptions: subscriptions.filter((one) => owns(shopper, one)).map(summariseSubscription) })
}

/** `POST /user`: the body has the fields of section 4.6. */
export const createUser: Handler = async ({ request, shopper, client, onUser }) => {
  if (shopper.userId !== undefined) throw new Refusal('conflict', 'This shopper has a widget user already.')
  const user = (await readJson(request)) as unknown as NewUser
  const created = await client.users.create(user).catch(explain)
  await onUser(created, shopper)
  return json({ user_id: created.user_id }, 201)
}

/** `GET /user`: status, limits and linked payment methods. */
export const oneUser: Handler = async ({ shopper: { userId }, client }) => {
  if (userId === undefined) throw new Refusal('not_found', 'This shopper has no widget user yet.')
  return json({ user: summariseUser(await client.users.retrieve({ user_id: userId })) })
}

/** What the shopper typed may be wrong: say which field, as the check or the service puts it, without the value. */
function explain(error: unknown): never {
  const refused = isApiError(error) && meansUnknown(error)
  if (refused || isInvalidInputError(error)) {
    throw new Refusal('invalid_request', error.message.replace('users.create: ', ''))
  }
  throw error
}

function summariseSubscription(subscription: Subscription): SubscriptionSummary {
  return Object.fromEntries(subscriptionFields.map((field) => [field, subscription[field]]))
}

function summariseUser({
  user_id,
  fkyc_status,
  lkyc_status,
  limits,
  linked_payment_methods,
}: User): UserSummary {
  return {
    user_id,
    ...(fkyc_status === undefined ? {} : { fkyc_status }),
    ...(lkyc_status === undefined ? {} : { lkyc_status }),
    limits,
    linked_payment_methods: linked_payment_methods.map(({ method, cards }) => ({
      method,
      cards: cards.map(({ brand, last_digits }) => ({
        ...(brand === undefined ? {} : { brand }),
        ...(last_digits === undefined ? {} : { last_digits }),
      })),
    })),
  }
}

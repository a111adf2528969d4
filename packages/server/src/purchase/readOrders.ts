/** Reads orders from the service: one, the history of a custom id, and those of a purchase that are new. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order, OrderRecord } from '../client/wire.ts'
import { createExpiringMap } from '../deadline.ts'
import { isApiError, isRefusal, UnexpectedResponseError } from '../errors.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import { carriedId, customIdOf, readCustomId, readReturn } from './carrier.ts'
import { comparedFields } from './match.ts'
import type { Purchase, PurchaseRecord } from './purchase.ts'

export interface ReadOrdersOptions {
  client: Pick<PurchaseClient, 'orders' | 'transactions'>
  tokens: TokenLease
  /** Adds a job for each. Rejects when the store is unavailable. */
  addJobs: (orders: readonly Order[]) => Promise<void>
  /** Records how the order fits its purchase. */
  assess: (order: Order) => Promise<unknown>
}

/** Adds orders with a new state to their purchase. */
export type ReadOrders = (record: PurchaseRecord) => Promise<void>

const MAX_DETAILS = 3
const MAX_FOUND = 20
const MAX_REMEMBERED = 10_000
const REMEMBER_MS = 86_400_000

export function createReadOrders({ client, tokens, addJobs, assess }: ReadOrdersOptions): ReadOrders {
  /** Purchases that the details of an order named, where its list record does not. */
  const named = createExpiringMap<readonly string[]>({ max: MAX_REMEMBERED, ttlMs: REMEMBER_MS })

  /** Empty for an order of another purchase. */
  async function ownDetails(id: string, purchase: Purchase): Promise<Order[]> {
    const order = await readOrder(client, id)
    if (order && belongs(order, purchase) === true) return [order]
    named.set(id, order ? idsOn(order) : [])
    return []
  }

  return async ({ purchase, orders }) => {
    const isNew = (order: Order): boolean =>
      !orders.some(({ id, type }) => id === order.id && type === order.type)
    const all = await listOrders(client, tokens, carriedId(purchase))
    const mayBelong = ({ id }: Order): boolean => named.get(id)?.includes(purchase.id) ?? true
    const listed = all.filter((order) => mayBelong(order) && isNew(order))
    const whole = listed.filter((order) => belongs(order, purchase) === true && isWhole(order, purchase))
    const partial = listed.filter((order) => belongs(order, purchase) !== false && !whole.includes(order))

    const asked = likelyPaidFirst(partial).slice(0, MAX_DETAILS)
    const answers = await Promise.allSettled(asked.map(({ id }) => ownDetails(id, purchase)))
    const detailed = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const found = likelyPaidFirst([...whole, ...detailed]).slice(0, MAX_FOUND)
    // Jobs first: a settled purchase is not read again, so after a crash in between nothing would call onOrder.
    await addJobs(found)
    for (const order of found) await assess(order)
    // A failed read does not keep other orders from being found. It may be of the order that the shopper waits for, so the result is uncertain.
    const failure = answers.find((one) => one.status === 'rejected')
    if (failure) throw failure.reason
  }
}

/** Ids of purchases that the order may belong to. */
const idsOn = ({ custom_id = '', redirect_url = '', fail_redirect_url = '' }: Order): string[] => [
  readCustomId(custom_id) ?? '',
  ...[redirect_url, fail_redirect_url].map((address) => readReturn(address)?.id ?? ''),
]

/** Undefined when the record does not say. */
function belongs(order: Order, { id, carrier }: Purchase): boolean | undefined {
  if (carrier === 'custom_id')
    return order.custom_id === undefined ? undefined : order.custom_id === customIdOf(id)
  const { redirect_url, fail_redirect_url } = order
  if (redirect_url === undefined && fail_redirect_url === undefined) return undefined
  return [redirect_url, fail_redirect_url].some((address) => readReturn(address ?? '')?.id === id)
}

/**
 * Whether the record has every field that the purchase is compared with, and the product that the shopper chose: the list's shape is not specified
 * (U3), and what it leaves out may differ. A field without a value is blank.
 */
function isWhole(order: Order, purchase: Purchase): boolean {
  const { customId, userId } = purchase.shopper
  const ids = [
    ...(customId === undefined ? [] : (['custom_id'] as const)),
    ...(userId === undefined ? [] : (['user_id'] as const)),
  ]
  const addresses = ['redirect_url', 'fail_redirect_url'] as const
  const isComparable = [...comparedFields(purchase), ...ids, ...addresses].every(
    (field) => order[field] !== undefined || Object.hasOwn(order.raw, field),
  )
  return isComparable && (!purchase.open.includes('product_id') || !!order.product_id)
}

/**
 * Lists the orders of one custom id. A service that ignores the filter returns those of the whole business, so any with another custom id are
 * dropped. A record without one may be theirs (U3): the order itself then shows whose it is. Rejects if none of the records has an id and a type,
 * since to drop them all would hide that this service's lists cannot be read.
 */
export async function listOrders(
  client: Pick<PurchaseClient, 'orders'>,
  tokens: TokenLease,
  custom_id: string,
): Promise<Order[]> {
  const list = (accessToken: string): Promise<OrderRecord[]> => client.orders.list({ accessToken, custom_id })
  const isTheirs = (order: Order): boolean => (order.custom_id || custom_id) === custom_id
  const records = await withToken(tokens, list)
  const orders = records.filter(isOrder)
  if (records.length > 0 && orders.length === 0) {
    throw new UnexpectedResponseError(
      'orders.list',
      'expected orders with id and type, got records without them.',
    )
  }
  return orders.filter(isTheirs)
}

const isOrder = (record: OrderRecord): record is Order => record.id !== undefined && record.type !== undefined

/** Uses the leased token, and once another when the service refuses it: another party may have ended it (U8). */
async function withToken<T>(tokens: TokenLease, use: (accessToken: string) => Promise<T>): Promise<T> {
  const { accessToken } = await tokens.get()
  try {
    return await use(accessToken)
  } catch (error) {
    if (!(await isAboutToken(error, tokens, accessToken))) throw error
    const other = await tokens.get(accessToken)
    if (other.accessToken === accessToken) throw error
    return use(other.accessToken)
  }
}

/** Any refusal but a 401 may be about what was asked for. */
const isAboutToken = async (error: unknown, tokens: TokenLease, accessToken: string): Promise<boolean> =>
  isApiError(error) &&
  (error.status === 401 || (isRefusal(error) && (await tokens.isRefused?.(accessToken)) === true))

/** Complete orders first. Of each kind, alternates between both ends of the list: whether it is newest first or last is not specified. */
export function likelyPaidFirst<Listed extends Pick<OrderRecord, 'type'>>(
  orders: readonly Listed[],
): Listed[] {
  return [...fromBothEnds(orders.filter(isPaid)), ...fromBothEnds(orders.filter((order) => !isPaid(order)))]
}

export const PAID = 'order_complete'

const isPaid = ({ type }: Pick<OrderRecord, 'type'>): boolean => type === PAID

function fromBothEnds<T>(items: readonly T[]): T[] {
  const half = Math.ceil(items.length / 2)
  const back = items.slice(half).reverse()
  return items.slice(0, half).flatMap((item, index) => [item, ...back.slice(index, index + 1)])
}

/** Null when the service answers with another order. */
export async function readOrder(
  client: Pick<PurchaseClient, 'transactions'>,
  orderId: string,
): Promise<Order | null> {
  const order = await client.transactions.retrieve({ order_id: orderId })
  return order.id === orderId ? order : null
}

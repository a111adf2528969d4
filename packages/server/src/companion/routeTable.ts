/** The companion's routes, as one table. */
import { Refusal } from './answer.ts'
import type { Handler } from './context.ts'
import { launch, token } from './routes/opening.ts'
import { listOrders, oneOrder } from './routes/orders.ts'
import { createUser, listSubscriptions, oneUser } from './routes/user.ts'

/** A route that answers a shopper. */
export interface ShopperRoute {
  method: 'GET' | 'POST'
  path: 'token' | 'launch' | 'orders' | 'orders/:id' | 'subscriptions' | 'user'
  handle: Handler
  /** Whether a link on another site may lead to it: the answer goes to the shopper's window, never to that site. */
  navigable?: boolean
}

/** The service rings here: no session, no origin. */
interface WebhookRoute {
  method: 'POST'
  path: 'webhook'
}

type Route = ShopperRoute | WebhookRoute

const routes: readonly Route[] = [
  { method: 'POST', path: 'token', handle: token },
  { method: 'GET', path: 'launch', handle: launch, navigable: true },
  { method: 'GET', path: 'orders', handle: listOrders },
  { method: 'GET', path: 'orders/:id', handle: oneOrder },
  { method: 'GET', path: 'subscriptions', handle: listSubscriptions },
  { method: 'POST', path: 'user', handle: createUser },
  { method: 'GET', path: 'user', handle: oneUser },
  { method: 'POST', path: 'webhook' },
]

/** The end of a path: an order by its id, or the name of a route. */
const ending = /(?:^|\/)(?:orders\/([^/]+)|([^/]+))\/*$/

/**
 * Finds a route by the end of the path, wherever the companion is mounted.
 *
 * @throws Refusal 404 or 405.
 */
export function findRoute(method: string, pathname: string): { route: Route; id: string } {
  const [, orderId, name] = ending.exec(pathname) ?? []
  const path = orderId === undefined ? name : 'orders/:id'
  const route = routes.find((candidate) => candidate.path === path && candidate.method === method)
  if (route) return { route, id: orderId === undefined ? '' : decode(orderId) }
  const allowed = routes.filter((candidate) => candidate.path === path).map((candidate) => candidate.method)
  if (allowed.length === 0) throw new Refusal('not_found', 'There is no such route.')
  const allow = allowed.join(', ')
  throw new Refusal('method_not_allowed', `Use ${allow}.`, { allow })
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Refusal('invalid_request', 'The path is not valid.')
  }
}

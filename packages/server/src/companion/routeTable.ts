/** The companion's routes, as one table. */
import { readReturn } from '../purchase/returnAddress.ts'
import { Refusal } from './answer.ts'
import type { Handler, OpenHandler } from './context.ts'
import { launch } from './routes/launch.ts'
import { listOrders, oneOrder } from './routes/orders.ts'
import { purchase } from './routes/purchases.ts'
import { returned } from './routes/return.ts'
import { languageFile, script } from './routes/script.ts'
import { launchGrant, token } from './routes/token.ts'
import { createUser, listSubscriptions, oneUser } from './routes/user.ts'
import { webhook } from './routes/webhook.ts'

interface RouteBase {
  method: 'GET' | 'POST'
  /** As it stands at the end of the request's path. */
  path: string
  /** Whether a link on another site may lead to it: the answer goes to the shopper's window, never to that site. */
  navigable?: boolean
}

/** A route that answers a shopper. */
interface ShopperRoute extends RouteBase {
  access: 'shopper'
  handle: Handler
}

/** A route that decides for itself who may ask. */
interface OpenRoute extends RouteBase {
  access: 'open'
  handle: OpenHandler
}

export type Route = ShopperRoute | OpenRoute

const routes: readonly Route[] = [
  { method: 'POST', path: 'token', access: 'shopper', handle: token },
  { method: 'POST', path: 'launch', access: 'shopper', handle: launchGrant },
  { method: 'GET', path: 'launch', access: 'open', handle: launch, navigable: true },
  { method: 'GET', path: 'return/:id', access: 'open', handle: returned },
  { method: 'GET', path: 'purchases/:id', access: 'open', handle: purchase },
  { method: 'GET', path: 'orders', access: 'shopper', handle: listOrders },
  { method: 'GET', path: 'orders/:id', access: 'shopper', handle: oneOrder },
  { method: 'GET', path: 'subscriptions', access: 'shopper', handle: listSubscriptions },
  { method: 'POST', path: 'user', access: 'shopper', handle: createUser },
  { method: 'GET', path: 'user', access: 'shopper', handle: oneUser },
  { method: 'POST', path: 'webhook', access: 'open', handle: webhook },
  { method: 'POST', path: 'webhook/:id', access: 'open', handle: webhook },
  { method: 'GET', path: 'purchase-widget.js', access: 'open', handle: script },
  { method: 'GET', path: 'purchase-widget.:id.js', access: 'open', handle: languageFile },
]

export interface Found {
  route: Route
  id: string
  /** The path before the route: where the companion is mounted. */
  mount: string
}

/**
 * Finds a route by the end of the path, wherever the companion is mounted; the service may append to a return address.
 *
 * @throws Refusal 404 or 405.
 */
export function findRoute(method: string, pathname: string): Found {
  const { path, id, at } = readPath(pathname)
  const named = routes.filter((candidate) => candidate.path === path)
  const route = named.find((candidate) => candidate.method === method)
  if (route) return { route, id: decode(id), mount: pathname.slice(0, at) }
  if (named.length === 0) throw new Refusal('not_found', 'There is no such route.')
  const allow = named.map((candidate) => candidate.method).join(', ')
  throw new Refusal('method_not_allowed', `Use ${allow}.`, { headers: { allow } })
}

/** The route of a path, as the table has it. Of what is no route it is whatever stands there. */
export const pathOf = (pathname: string): string => readPath(pathname).path

/** What of a path is above the route, whichever route it is. */
export const mountOf = (pathname: string): string => pathname.slice(0, readPath(pathname).at)

/** A route with an id, or the name of one. */
const ending = /(?:^|\/)(?:(orders|purchases|webhook)\/([^/]+)|([^/]+))\/*$/

/** The name of a language file. */
const languageFileName = /^purchase-widget\.([^.]+)\.js$/

function readPath(pathname: string): { path: string; id: string; at: number } {
  const purchaseReturn = readReturn(pathname)
  if (purchaseReturn)
    return { path: 'return/:id', id: purchaseReturn.id, at: pathname.lastIndexOf('/return/') }
  const found = ending.exec(pathname)
  const [, parent, id = '', name = ''] = found ?? []
  const at = found?.index ?? 0
  const language = languageFileName.exec(name)?.[1]
  if (language) return { path: 'purchase-widget.:id.js', id: language, at }
  return parent ? { path: `${parent}/:id`, id, at } : { path: name, id: '', at }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Refusal('invalid_request', 'The path is not valid.')
  }
}

/** The story of each shopper's purchases: keeps the last steps in memory, and records the server's steps from outside. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { CallLog } from '@purchase-widget/server'
import type { MiddlewareHandler } from 'hono'
import type { Actor, Step, TimedStep } from '../exchange.ts'
import { shopperOf } from './visitor.ts'

/** How many steps are kept: about twenty purchases. */
const CAPACITY = 500

type Entry = TimedStep & { shopper: string }

export interface Journal {
  /** Runs an action for a shopper, who owns its steps until it ends. With null, the steps are not kept. */
  as<Result>(shopper: string | null, action: () => Promise<Result>): Promise<Result>
  /** `at`: time on the page, in epoch milliseconds; default: now. `shopper`: default: that of the current `as` call. */
  note(step: Step, options?: { at?: number; shopper?: string | null }): void
  /** Calls the listener with each step of one shopper, past ones first; returns the unsubscribe function. */
  follow(shopper: string, listener: (step: TimedStep) => void): () => void
}

/** The shopper for whom an action runs. After it ends, leftovers such as timers belong to no shopper. */
interface Scope {
  note: ((step: Step, at: number) => void) | null
}

export function createJournal(now: () => number = Date.now): Journal {
  const scopes = new AsyncLocalStorage<Scope>()
  const listeners = new Set<(entry: Entry) => void>()
  const entries: Entry[] = []
  let lastId = 0

  function keep(shopper: string | null | undefined, step: Step, at: number): void {
    if (!shopper) return
    lastId += 1
    const entry: Entry = { ...step, id: lastId, at, shopper }
    entries.push(entry)
    if (entries.length > CAPACITY) entries.shift()
    for (const listener of listeners) listener(entry)
  }

  return {
    async as(shopper, action) {
      const scope: Scope = { note: (step, at) => keep(shopper, step, at) }
      try {
        return await scopes.run(scope, action)
      } finally {
        scope.note = null
      }
    },
    note(step, { at = now(), shopper } = {}) {
      if (shopper === undefined) scopes.getStore()?.note?.(step, at)
      else keep(shopper, step, at)
    },
    follow(shopper, listener) {
      const forward = ({ shopper: whose, ...step }: Entry): void => {
        if (whose === shopper) listener(step)
      }
      entries.forEach(forward)
      listeners.add(forward)
      return () => listeners.delete(forward)
    },
  }
}

/** The purpose of each service operation, in words. */
const operationWords: Readonly<Record<string, string>> = {
  'accessTokens.create': 'Asks for an access token',
  'accessTokens.expireDate': 'Asks how long the token is good for',
  'orders.list': 'Reads the shopper’s orders',
  'orders.listAll': 'Reads all orders',
  'transactions.retrieve': 'Reads the order',
}

/** A logger for the client: each call to the service is a step. */
export function noteCalls(journal: Journal): (call: CallLog) => void {
  return ({ operation, outcome, status, attempt }) => {
    const failure = outcome === 'ok' ? '' : `, ${status ?? outcome}`
    const again = attempt > 1 ? `, attempt ${attempt}` : ''
    journal.note({
      from: 'server',
      to: 'service',
      text: `${operationWords[operation] ?? 'Asks'}${outcome === 'ok' ? '' : ', in vain'}`,
      call: `${operation}${failure}${again}`,
      ...(outcome === 'ok' ? {} : { tone: 'bad' }),
    })
  }
}

interface RequestParts {
  journal: Journal
  /** Signs the session cookie. */
  secret: string
  webhookKey: string
}

/** Records each request of a purchase to the companion as a step, and each unsuccessful response too. */
export function noteRequests({ journal, secret, webhookKey }: RequestParts): MiddlewareHandler {
  return async (c, next) => {
    const route = routeOf(c.req.path)
    const isByPage = c.req.method === 'POST' && route === '/launch'
    const entry = storyRoutes[isByPage ? '/token' : route]
    if (!entry) return journal.as(null, next)
    const isWebhook = c.req.path.endsWith(`/webhook/${webhookKey}`)
    const shopper = isWebhook ? await shopperIn(c.req.raw.clone()) : await shopperOf(c.req.raw, secret)
    await journal.as(shopper ?? null, async () => {
      const begins =
        route === '/launch' && !isByPage && !c.req.query('ticket') ? { begins: true as const } : {}
      journal.note({
        from: entry.caller,
        to: 'server',
        text: entry.text,
        call: `${c.req.method} ${route}`,
        ...begins,
      })
      await next()
      const { status } = c.res
      if (status >= 400)
        journal.note({ from: 'server', to: entry.caller, text: 'Refuses', call: String(status), tone: 'bad' })
      if (status === 303)
        journal.note({
          from: 'server',
          to: 'widget',
          text: 'Leads to the widget, with the token',
          call: '303',
        })
    })
  }
}

/** The routes of a purchase, each with its caller and purpose. Requests by other pages of the shop are not part of the story. */
const storyRoutes: Readonly<Record<string, { caller: Actor; text: string }>> = {
  '/token': { caller: 'page', text: 'Asks to begin a purchase' },
  '/launch': { caller: 'page', text: 'Asks for the way to the widget' },
  '/return/…': { caller: 'widget', text: 'Comes back to the shop' },
  '/purchases/…': { caller: 'page', text: 'Asks how the purchase ended' },
  '/orders/…': { caller: 'page', text: 'Asks about an order' },
  '/webhook/…': { caller: 'service', text: 'Says that an order has changed' },
}

/** The route below the companion's mount path, without ids. */
function routeOf(path: string): string {
  const [route = '', id] = path.replace(/^\/api\/purchase-widget\//, '').split('/')
  return id === undefined ? `/${route}` : `/${route}/…`
}

/** The shopper that a sandbox webhook names. Other services may put it elsewhere; the story then omits it. */
async function shopperIn(webhook: Request): Promise<string | null> {
  const body = await webhook.json().catch(() => null)
  const customId = body?.data?.custom_id
  return typeof customId === 'string' ? customId : null
}

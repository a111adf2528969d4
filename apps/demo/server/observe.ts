import type { CallLog } from '@purchase-widget/server'
import type { MiddlewareHandler } from 'hono'
import type { Journal } from './journal.ts'
import type { Shoppers } from './shopper.ts'

/** The server's part of the story, told from outside: neither client nor companion knows that it is watched. */

/** A logger for the client: each call to the service is a step. */
export function tellCalls(journal: Journal): (call: CallLog) => void {
  return ({ operation, outcome, status, attempt }) => {
    const failure = outcome === 'ok' ? '' : `, ${status ?? outcome}`
    const again = attempt > 1 ? `, attempt ${attempt}` : ''
    journal.note({
      from: 'server',
      to: 'service',
      text: `${operation}${failure}${again}`,
      ...(outcome === 'ok' ? {} : { tone: 'bad' }),
    })
  }
}

/** Each request to the companion is a step, and so is each answer that is not a success. */
export function tellRequests({
  journal,
  shoppers,
}: {
  journal: Journal
  shoppers: Shoppers
}): MiddlewareHandler {
  return async (c, next) => {
    const route = routeOf(c.req.path)
    const asker = route === '/webhook' ? 'service' : 'page'
    await journal.as(await shoppers.recognise(c.req.raw), async () => {
      const begins = route === '/launch' ? { begins: true as const } : {}
      journal.note({ from: asker, to: 'server', text: `${c.req.method} ${route}`, ...begins })
      await next()
      const { status } = c.res
      if (status >= 400) journal.note({ from: 'server', to: asker, text: String(status), tone: 'bad' })
      if (status === 303) journal.note({ from: 'server', to: 'widget', text: 'redirected, token and all' })
    })
  }
}

/** The route below the companion's mount path, without any id in it. */
function routeOf(path: string): string {
  const [route = '', id] = path.replace(/^\/api\/purchase-widget\//, '').split('/')
  return id === undefined ? `/${route}` : `/${route}/…`
}

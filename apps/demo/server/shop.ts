/** Every route of the shop. */
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Companion } from '@purchase-widget/server'
import { Hono } from 'hono'
import type { Deliveries } from './deliveries.ts'
import type { Draw } from './drawing.ts'
import { guard } from './guard.ts'
import type { Journal } from './journal.ts'
import { tellRequests } from './observe.ts'
import { createPages, notFoundPage } from './pages.ts'
import { createReading } from './reading.ts'
import { createSessionRoutes } from './sessionRoutes.ts'
import type { Shoppers } from './shopper.ts'
import { createStoryRoutes } from './storyRoutes.ts'
import { createTroubleRoutes } from './troubleRoutes.ts'
import type { Troubles } from './troubles.ts'

interface ShopParts {
  companion: Companion
  deliveries: Deliveries
  shoppers: Shoppers
  journal: Journal
  webhookKey: string
  /** Null with the real service, where nothing can be made to go wrong, and there is no console. */
  sandbox: { troubles: Troubles; consoleUrl: string } | null
  widgetUrl: string
  documentationUrl: string
  draw: Draw
}

export function createShop(parts: ShopParts): Hono {
  const { companion, deliveries, shoppers, journal, webhookKey, sandbox, widgetUrl, documentationUrl, draw } =
    parts
  const app = new Hono()
  app.use(guard)

  app.use('/api/purchase-widget/*', tellRequests({ journal, shoppers, webhookKey }))
  app.all('/api/purchase-widget/*', (c) =>
    companion.fetch(c.req.raw, { address: getConnInfo(c).remote.address }),
  )

  app.get('/api/shop/deliveries', async (c) => {
    const shopper = await shoppers.recognise(c.req.raw)
    return c.json(deliveries.of(shopper ? [shopper.id, ...shopper.formerly] : []))
  })
  app.route('/api/shop/session', createSessionRoutes(shoppers))
  app.route('/api/shop/story', createStoryRoutes({ journal, shoppers }))
  if (sandbox) app.route('/api/shop/troubles', createTroubleRoutes(sandbox.troubles))

  app.route('/read', createReading())
  const about = { widgetUrl, documentationUrl, consoleUrl: sandbox?.consoleUrl ?? null }
  app.route('/', createPages({ draw, shoppers, ...about }))
  app.notFound(notFoundPage(about))
  return app
}

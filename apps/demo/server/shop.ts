import { getConnInfo } from '@hono/node-server/conninfo'
import type { Companion } from '@purchase-widget/server'
import { Hono } from 'hono'
import type { Deliveries } from './deliveries.ts'
import type { Journal } from './journal.ts'
import type { Launches } from './launches.ts'
import { tellRequests } from './observe.ts'
import { createPages } from './pages.ts'
import type { Shoppers } from './shopper.ts'
import { createStoryRoutes } from './storyRoutes.ts'
import { createTroubleRoutes } from './troubleRoutes.ts'
import type { Troubles } from './troubles.ts'

interface ShopParts {
  companion: Companion
  deliveries: Deliveries
  shoppers: Shoppers
  journal: Journal
  launches: Launches
  /** Null with the real service, where nothing can be made to go wrong. */
  troubles: Troubles | null
  widgetUrl: string
}

/** Every route of the shop. */
export function createShop(parts: ShopParts): Hono {
  const { companion, deliveries, shoppers, journal, launches, troubles, widgetUrl } = parts
  const app = new Hono()

  app.use('/api/purchase-widget/*', tellRequests({ journal, shoppers }))
  app.use('/api/purchase-widget/launch', async (c, next) => {
    const customId = await shoppers.recognise(c.req.raw)
    if (customId) launches.begin(customId)
    await next()
  })
  // The whole integration of a merchant's server is this route.
  app.all('/api/purchase-widget/*', (c) =>
    companion.fetch(c.req.raw, { address: getConnInfo(c).remote.address }),
  )

  app.get('/api/shop/deliveries', async (c) => {
    const customId = await shoppers.recognise(c.req.raw)
    return c.json(customId ? deliveries.of(customId) : [])
  })
  app.get('/api/shop/launched-order', async (c) => {
    const customId = await shoppers.recognise(c.req.raw)
    return c.json({ order: customId ? launches.orderOf(customId) : null })
  })
  app.route('/api/shop/story', createStoryRoutes({ journal, shoppers }))
  if (troubles) app.route('/api/shop/troubles', createTroubleRoutes(troubles))

  app.route('/', createPages({ shoppers, widgetUrl }))
  return app
}

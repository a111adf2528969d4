import { getConnInfo } from '@hono/node-server/conninfo'
import type { Companion } from '@purchase-widget/server'
import { Hono } from 'hono'
import type { Deliveries } from './deliveries.ts'
import { createPages } from './pages.ts'
import type { Shoppers } from './shopper.ts'

interface ShopParts {
  companion: Companion
  deliveries: Deliveries
  shoppers: Shoppers
  widgetUrl: string
}

/** Every route of the shop. */
export function createShop({ companion, deliveries, shoppers, widgetUrl }: ShopParts): Hono {
  const app = new Hono()

  // The whole integration of a merchant's server is this line.
  app.all('/api/purchase-widget/*', (c) =>
    companion.fetch(c.req.raw, { address: getConnInfo(c).remote.address }),
  )

  app.get('/api/shop/deliveries', async (c) => {
    const customId = await shoppers.recognise(c.req.raw)
    return c.json(customId ? deliveries.of(customId) : [])
  })

  app.route('/', createPages({ shoppers, widgetUrl }))
  return app
}

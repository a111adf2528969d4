/** Every route of the shop. */
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Companion } from '@purchase-widget/server'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { actors, type Step } from '../exchange.ts'
import type { Deliveries } from './deliveries.ts'
import { guard } from './guard.ts'
import type { Journal } from './journal.ts'
import { tellRequests } from './observe.ts'
import { createPages, type PageParts } from './pages.ts'
import { shopperOf } from './shopper.ts'

interface ShopParts extends PageParts {
  companion: Companion
  deliveries: Deliveries
  journal: Journal
  webhookKey: string
}

const stepSchema = z.strictObject({
  at: z.number(),
  from: z.enum(actors),
  to: z.enum(actors),
  text: z.string().max(120),
  call: z.string().max(60).optional(),
  tone: z.enum(['good', 'bad']).optional(),
  begins: z.literal(true).optional(),
})

type Shop = Hono<{ Variables: { shopper: string } }>

export function createShop(parts: ShopParts): Shop {
  const { companion, deliveries, secret, journal, webhookKey } = parts
  const app: Shop = new Hono()
  app.use(guard)

  app.use('/api/purchase-widget/*', tellRequests({ journal, secret, webhookKey }))
  app.all('/api/purchase-widget/*', (c) =>
    companion.fetch(c.req.raw, { address: getConnInfo(c).remote.address }),
  )

  app.use('/api/shop/*', async (c, next) => {
    const shopper = await shopperOf(c.req.raw, secret)
    if (!shopper) return c.json({ error: { code: 'unauthorized', message: 'Visit the shop first.' } }, 401)
    c.set('shopper', shopper)
    return next()
  })
  app.get('/api/shop/deliveries', (c) => c.json(deliveries.of(c.get('shopper'))))
  app.get('/api/shop/story', (c) =>
    streamSSE(c, async (stream) => {
      const undo = journal.follow(c.get('shopper'), (step) => {
        void stream.writeSSE({ id: String(step.id), data: JSON.stringify(step) })
      })
      await new Promise<void>((resolve) => stream.onAbort(resolve))
      undo()
    }),
  )
  app.post('/api/shop/story', async (c) => {
    const body = stepSchema.safeParse(await c.req.json().catch(() => null))
    if (!body.success) return c.body(null, 400)
    const { at, ...step } = body.data
    journal.note(step as Step, { at, shopper: c.get('shopper') })
    return c.body(null, 204)
  })

  app.route('/', createPages(parts))
  return app
}

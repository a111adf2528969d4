/** `GET /` lists the troubles; `PUT /:id` turns one on or off. */
import { Hono } from 'hono'
import { z } from 'zod'
import type { Troubles } from './troubles.ts'

const bodySchema = z.strictObject({ on: z.boolean() })

export function createTroubleRoutes(troubles: Troubles): Hono {
  const app = new Hono()
  app.get('/', (c) => c.json(troubles.list()))
  app.put('/:id', async (c) => {
    const body = bodySchema.safeParse(await c.req.json().catch(() => null))
    if (!body.success) return c.body(null, 400)
    return c.body(null, (await troubles.set(c.req.param('id'), body.data.on)) ? 204 : 404)
  })
  return app
}

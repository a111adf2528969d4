/** `GET` says whether the visitor has signed in, `POST { name }` signs in, `DELETE` signs out. */
import { Hono } from 'hono'
import { z } from 'zod'
import { isMember, type Shoppers } from './shopper.ts'

const bodySchema = z.strictObject({ name: z.string().trim().min(1).max(40) })

export function createSessionRoutes(shoppers: Shoppers): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const shopper = await shoppers.recognise(c.req.raw)
    return c.json({ member: shopper !== null && isMember(shopper.id) })
  })
  app.post('/', async (c) => {
    const body = bodySchema.safeParse(await c.req.json().catch(() => null))
    if (!body.success) return c.json({ error: { code: 'invalid_request', message: 'Give a name.' } }, 400)
    const guest = await shoppers.recognise(c.req.raw)
    if (!guest) return c.json({ error: { code: 'unauthorized', message: 'Visit the shop first.' } }, 401)
    c.header('Set-Cookie', await shoppers.signIn(body.data.name, guest))
    return c.json({ member: true })
  })
  app.delete('/', async (c) => {
    c.header('Set-Cookie', await shoppers.welcome())
    return c.json({ member: false })
  })
  return app
}

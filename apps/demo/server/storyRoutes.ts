/** The shopper's story: `GET /` streams it, `POST /` adds what the page saw. */
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { actors, type Step } from '../story.ts'
import type { Journal } from './journal.ts'
import type { Shoppers } from './shopper.ts'

const stepSchema = z.strictObject({
  at: z.number(),
  from: z.enum(actors),
  to: z.enum(actors),
  text: z.string().max(120),
  call: z.string().max(60).optional(),
  tone: z.enum(['good', 'bad']).optional(),
  begins: z.literal(true).optional(),
})

export function createStoryRoutes({ journal, shoppers }: { journal: Journal; shoppers: Shoppers }): Hono {
  const app = new Hono()

  app.get('/', async (c) => {
    const shopper = await shoppers.recognise(c.req.raw)
    if (!shopper) return c.json({ error: { code: 'unauthorized', message: 'Visit the shop first.' } }, 401)
    return streamSSE(c, async (stream) => {
      const undo = journal.follow([shopper.id, ...shopper.formerly], (step) => {
        void stream.writeSSE({ id: String(step.id), data: JSON.stringify(step) })
      })
      await new Promise<void>((resolve) => stream.onAbort(resolve))
      undo()
    })
  })

  app.post('/', async (c) => {
    const shopper = await shoppers.recognise(c.req.raw)
    const body = stepSchema.safeParse(await c.req.json().catch(() => null))
    if (!shopper || !body.success) return c.body(null, 400)
    const { at, ...step } = body.data
    journal.note(step as Step, { at, shopper: shopper.id })
    return c.body(null, 204)
  })

  return app
}

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
  tone: z.enum(['good', 'bad']).optional(),
  begins: z.literal(true).optional(),
})

/** `GET /` streams the shopper's story; `POST /` adds what the page saw. */
export function createStoryRoutes({ journal, shoppers }: { journal: Journal; shoppers: Shoppers }): Hono {
  const app = new Hono()

  app.get('/', async (c) => {
    const customId = await shoppers.recognise(c.req.raw)
    if (!customId) return c.json({ error: { code: 'unauthorized', message: 'Visit the shop first.' } }, 401)
    return streamSSE(c, async (stream) => {
      const undo = journal.follow(customId, (step) => {
        void stream.writeSSE({ id: String(step.id), data: JSON.stringify(step) })
      })
      await new Promise<void>((resolve) => stream.onAbort(resolve))
      undo()
    })
  })

  app.post('/', async (c) => {
    const customId = await shoppers.recognise(c.req.raw)
    const body = stepSchema.safeParse(await c.req.json().catch(() => null))
    if (!customId || !body.success) return c.body(null, 400)
    const { at, ...step } = body.data
    journal.as(customId, () => journal.note(step as Step, at))
    return c.body(null, 204)
  })

  return app
}

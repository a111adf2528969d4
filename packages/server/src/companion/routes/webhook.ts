/** `POST /webhook/:key` and `POST /webhook`: the service reports that an order may have changed. The report is only a hint. */
import { timingSafeEqual } from 'hono/utils/buffer'
import { readHint, webhookKeyOf } from '../../fulfilment/webhook.ts'
import { causeOf } from '../../mistakes.ts'
import { json } from '../answer.ts'
import { readText } from '../asked.ts'
import type { Handler } from '../context.ts'
import { tooMany } from '../limits.ts'
import { warnOf } from '../report.ts'

const WEBHOOK_LIMIT = 65_536

/** Answers as soon as the hint is recorded. Hints without the right key go to a small and slow queue. */
export const webhook: Handler = async (c) => {
  const hint = readHint(await readText(c.req.raw, WEBHOOK_LIMIT))
  const { fulfilment, client } = c.get('services')()
  const isTrusted = await timingSafeEqual(c.req.param('key') ?? '', await webhookKeyOf(client))
  if (!hint && isTrusted) warnOf(causeOf('webhook_unreadable', {}))
  if (hint) {
    const queue = isTrusted ? 'trusted' : 'unauthenticated'
    const isRecorded = await fulfilment.syncOrder(hint, queue)
    if (!isRecorded) throw tooMany('Too many calls without the key', 60)
    c.get('keepAwake')(Promise.resolve(), queue)
  }
  return json({ received: true }, 202)
}

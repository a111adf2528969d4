/** `POST /webhook/:key` and `POST /webhook`: the service says that an order may have changed. What it says is only a hint. */
import { readHint } from '../../fulfilment/hint.ts'
import { webhookKeyOf } from '../../fulfilment/webhookKey.ts'
import { json, Refusal } from '../answer.ts'
import type { OpenHandler } from '../context.ts'
import { readText } from '../guard.ts'

const WEBHOOK_LIMIT = 65_536

/** Answers as soon as the hint is recorded. Who does not know the key gets a lane that is small and slow. */
export const webhook: OpenHandler = async ({ request, id, services, keepAwake }) => {
  const { fulfilment, client } = services()
  const hint = readHint(await readText(request, WEBHOOK_LIMIT))
  if (hint) {
    const lane = isSame(id, await webhookKeyOf(client)) ? 'trusted' : 'stranger'
    const isRecorded = await fulfilment.look(hint, lane)
    if (!isRecorded) {
      throw new Refusal('too_many_requests', 'Too many calls without the key. Try again soon.', {
        headers: { 'retry-after': '60' },
      })
    }
    keepAwake(Promise.resolve(), lane)
  }
  return json({ received: true }, 202)
}

/** Takes the same time wherever the two differ. */
function isSame(given: string, key: string): boolean {
  let differences = given.length ^ key.length
  for (let at = 0; at < key.length; at++) differences |= given.charCodeAt(at) ^ key.charCodeAt(at)
  return differences === 0
}

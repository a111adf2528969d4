/** `GET /purchases/:id`: what became of a purchase. */

import { preferredBy } from '../../language.ts'
import type { Asker } from '../../purchase/shopper.ts'
import { json, Refusal } from '../answer.ts'
import type { OpenHandler, Visit } from '../context.ts'

export const purchase: OpenHandler = async (visit) => {
  const asker = await askerOf(visit)
  const returned = new URL(visit.request.url).searchParams.get('returned') === '1'
  const answer = await visit.services().known(visit.id, asker, returned, preferredBy(visit.request))
  visit.keepAwake(Promise.resolve())
  return json(answer)
}

/** Null without a session: in a frame or a webview the cookies may be missing. */
async function askerOf({ authorise, limitStranger }: Visit): Promise<Asker | null> {
  try {
    return await authorise()
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'unauthorized')) throw error
    await limitStranger()
    return null
  }
}

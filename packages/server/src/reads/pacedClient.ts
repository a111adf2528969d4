/** The client whose reads wait for their turns. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { currentReader } from './reader.ts'
import type { Turns } from './turns.ts'

/** Each request of a read waits, also one that the client sends again. */
export const pacedClient = (client: PurchaseClient, turns: Turns): PurchaseClient =>
  client.withReads((send) => async (address, init) => {
    await turns.take(currentReader(), init?.signal)
    const response = await send(address, init)
    if (response.status === 429) turns.slowDown()
    return response
  })

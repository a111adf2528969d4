/** Rings the webhook route of a companion, as the service would. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { InvalidInputError, NetworkError } from '../errors.ts'
import { webhookKeyOf } from '../fulfilment/webhookKey.ts'
import { isSafe } from '../loopback.ts'

export type Ring = (order: { id: string; type: string }) => Promise<void>

const RING_MS = 10_000

/**
 * @param companionUrl where the companion is mounted: `http://localhost:3000/api/purchase-widget`.
 * @throws InvalidInputError when it is neither https nor on this machine: the address that is rung holds the webhook's key.
 */
export async function createRing(
  client: Pick<PurchaseClient, 'deriveKey'>,
  companionUrl: string,
): Promise<Ring> {
  const url = URL.parse(companionUrl)
  if (!url || !isSafe(url)) {
    throw new InvalidInputError(
      'listen',
      '--forward-to must be where your companion is mounted, e.g. http://localhost:3000/api/purchase-widget.',
    )
  }
  const address = `${url.href.replace(/\/$/, '')}/webhook/${await webhookKeyOf(client)}`
  return async ({ id, type }) => {
    const response = await fetch(address, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order_id: id, type }),
      signal: AbortSignal.timeout(RING_MS),
    }).catch(() => {
      // Its cause would quote the address.
      throw new NetworkError('listen', `the shop did not answer at ${url.origin}. It is rung again.`)
    })
    await response.body?.cancel()
    if (response.status === 202) return
    throw new NetworkError(
      'listen',
      `${url.origin} answered ${response.status}: is the companion mounted at ${url.pathname}?`,
    )
  }
}

/** `listen`: rings a shop on this machine for every order that changes, where no webhook of the service reaches it. */
import { setTimeout } from 'node:timers/promises'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { InvalidInputError, isApiError, PurchaseError } from '../errors.ts'
import { createRing } from '../listen/ring.ts'
import { type WatchOptions, watchOrders } from '../listen/watchOrders.ts'
import { printable } from '../printable.ts'
import type { Store } from '../stores/store.ts'
import { createTokenLease } from '../token/tokenLease.ts'
import { loadModule } from './module.ts'
import type { Command } from './report.ts'
import { storeIn } from './store.ts'

const HOUR = 3_600_000

export const listen: Command = async ({ client: clientOf, flags }) => {
  if (!flags['forward-to']) {
    throw new InvalidInputError('listen', 'give --forward-to, the address of your companion.')
  }
  const client = clientOf()
  const ring = await createRing(client, flags['forward-to'])
  const store = flags.module === undefined ? undefined : storeIn(await loadModule(flags.module), flags.module)
  const ended = new AbortController()
  const end = (): void => ended.abort()
  process.once('SIGINT', end).once('SIGTERM', end)
  let rung = 0
  console.log(`Listening for orders. ${flags['forward-to']} is rung for each that changes; Ctrl-C ends it.`)
  await watchOrders({
    listAll: listerOf(client, store),
    async tell(order) {
      await ring(order)
      rung++
      console.log(printable(`${order.type}  ${order.id}`))
    },
    isBuying: buyingIn(store),
    onError: (error) => console.error(printable(sentenceOf(error))),
    now: Date.now,
    wait: (ms) => setTimeout(ms, undefined, { signal: ended.signal }).catch(() => {}),
    signal: ended.signal,
  })
  return { data: { rung }, text: `Rung ${rung} times.`, ok: true }
}

/** With the shop's own token where its store is known: creating another may end the one of a widget that is open (U8). */
function listerOf(client: PurchaseClient, store: Store | undefined): WatchOptions['listAll'] {
  const tokens = createTokenLease({ client, ...(store && { store }) })
  let refused: string | undefined
  return async () => {
    const { accessToken } = await tokens.get(refused)
    refused = undefined
    return client.orders.listAll({ accessToken }).catch((error: unknown) => {
      if (isApiError(error) && error.status === 401) refused = accessToken
      throw error
    })
  }
}

/** Whether a purchase of the last hour is open; without the shop's store nobody knows. */
function buyingIn(store: Store | undefined): () => Promise<boolean> {
  if (!store || store.forgets) return async () => false
  return async () => {
    const to = Date.now()
    return (await store.purchases.unsettled({ from: to - HOUR, to, limit: 1 })).length > 0
  }
}

/** Of others' errors the name alone: their messages may quote anything. */
const sentenceOf = (error: unknown): string =>
  error instanceof PurchaseError ? error.message : error instanceof Error ? error.name : 'Not an Error.'

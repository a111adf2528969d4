/** Checks credentials, service, widget page and companion from the merchant's server. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { isProduction } from '../companion/place.ts'
import { startDeadline } from '../deadline.ts'
import { webhookKeyOf } from '../fulfilment/webhook.ts'
import { causeOf, sentenceOf } from '../mistakes.ts'
import type { Store } from '../stores/store.ts'
import { CALLS_MS, type Checkup, failed, note, ok, type Visit } from './checkup.ts'
import { checkCompanion } from './companion.ts'
import { readAddresses } from './mount.ts'
import { checkLookups, checkToken, skipToken } from './operations.ts'
import { checkOrder } from './order.ts'
import { checkPage, type PageHeaders, pageNeeds } from './pageHeaders.ts'

export interface DoctorOptions {
  client: PurchaseClient
  /**
   * Create two access tokens, to check the credentials, expiry and clock, and whether a new token invalidates the one before it.
   * That may invalidate the tokens of open widgets (U8).
   */
  createTokens: boolean
  /** The companion's public address: checks what is mounted there. */
  companion?: string | undefined
  /** A real order: shows how a purchase's id comes back and, with `store`, how the service states amounts (U23). */
  orderId?: string | undefined
  /** The companion's store: one that loses its data at a restart fails in production. */
  store?: (Pick<Store, 'forgets'> & Partial<Pick<Store, 'purchases'>>) | undefined
}

export interface Diagnosis {
  checks: Checkup[]
  /** Response headers that the merchant's own page needs, in addition to its present ones. */
  pageNeeds: PageHeaders
  /** The path to register with the service, below the companion's address. Keep it secret: what is sent there is trusted. */
  webhookPath: string
  /** False when a check failed. */
  healthy: boolean
}

/**
 * Runs every check; one that fails does not stop the others. Takes eight seconds at most, even when nothing answers. Calls of
 * a client whose own `timeoutMs` is longer continue in the background.
 */
export async function runDoctor(options: DoctorOptions): Promise<Diagnosis> {
  const { client, createTokens, companion, orderId, store } = options
  const deadline = startDeadline(CALLS_MS)
  const visit: Visit = { client, deadline }
  const { checks: addresses, url } = readAddresses(companion)
  const lookedUp = checkLookups(visit)
  const checkedToken = createTokens ? checkToken(visit, lookedUp) : skipToken(visit)
  const [token, lookups, widget, mount, order] = await Promise.all([
    checkedToken,
    lookedUp,
    checkedToken.then(({ live }) => checkPage(client.widgetUrl, live)),
    url === undefined ? [] : checkCompanion(url, deadline),
    orderId === undefined ? [] : checkOrder(visit, orderId, store?.purchases),
  ]).finally(deadline.stop)
  const stores = store ? [checkStore(store)] : []
  const checks = [token.checks, lookups, widget, addresses, mount, stores, order].flat()
  return {
    checks,
    pageNeeds: pageNeeds(client.widgetUrl, url),
    webhookPath: `/webhook/${await webhookKeyOf(client)}`,
    healthy: checks.every(({ result }) => result !== 'failed'),
  }
}

function checkStore({ forgets }: Pick<Store, 'forgets'>): Checkup {
  const cause = causeOf('store_forgets', {})
  const subject = { name: 'store', setting: 'store', address: null, remedy: cause.remedy }
  if (!forgets) return ok(subject, 'outlives the process')
  return isProduction() ? failed(subject, null, cause.seen) : note(subject, sentenceOf(cause))
}

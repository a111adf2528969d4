/** Checks from the merchant's server that credentials, service, widget page and companion will do. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { startDeadline } from '../deadline.ts'
import { webhookKeyOf } from '../fulfilment/webhook.ts'
import { causeOf, mistakes, sentenceOf } from '../mistakes/table.ts'
import { buildWidgetUrl } from '../purchase/carrier.ts'
import type { Store } from '../stores/store.ts'
import {
  CALLS_MS,
  type Checkup,
  failed,
  note,
  ok,
  type Visit,
  wrongApiKey,
  wrongSecretKey,
} from './checkup.ts'
import { checkCompanion } from './companion.ts'
import { readAddresses } from './mount.ts'
import { checkLookups, checkToken, checkTokenLookup, type TokenCheckup } from './operations.ts'
import { checkOrder } from './order.ts'
import { type PageHeaders, pageNeeds, readPageHeaders, widgetSubject } from './pageHeaders.ts'

export interface DoctorOptions {
  client: PurchaseClient
  /**
   * Create two access tokens, to check the credentials, expiry and clock, and whether a new token ends the one before it.
   * That may end the tokens of widgets which are open (U8).
   */
  createTokens: boolean
  /** The companion's public address: looks at what is mounted there. */
  companion?: string | undefined
  /** The origin of the page with the button, such as `https://shop.example`, when the companion is on another: it must be let in. */
  page?: string | undefined
  /** A real order: says how a purchase's id comes back and, with `store`, how the service states amounts (U23). */
  orderId?: string | undefined
  /** The companion's store: one that forgets fails in production. */
  store?: DoctorStore | Promise<DoctorStore | undefined> | undefined
  /** Default: whether `NODE_ENV` is `production`. */
  production?: boolean
  /** Reads the widget page and the companion. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch
  now?: () => number
}

/** What the doctor reads of a store. */
type DoctorStore = Pick<Store, 'forgets'> & Partial<Pick<Store, 'purchases'>>

export interface Diagnosis {
  checks: Checkup[]
  /** Response headers that the merchant's own page needs, beside what it has. */
  pageNeeds: PageHeaders
  /** What to register with the service, below the companion's address. Keep it: what is sent there is trusted. */
  webhookPath: string
  /** False when a check failed. */
  healthy: boolean
}

/** The end of everything: a process that starts and prints on a busy machine must fit into ten seconds with it. */
const WHOLE_MS = 6_500
/** How long the widget page may take at most: it is read with the token that was created. */
const PAGE_MS = 3_000

/**
 * Runs every check; one that fails does not stop the others. Takes six and a half seconds at most, also when nothing answers. Calls of
 * a client whose own `timeoutMs` is longer go on in the background.
 */
export async function runDoctor(options: DoctorOptions): Promise<Diagnosis> {
  const { client, createTokens, companion, page, orderId, fetch = globalThis.fetch, now = Date.now } = options
  const deadline = startDeadline(CALLS_MS)
  const visit: Visit = { client, now, deadline }
  const { checks: addresses, url } = readAddresses(companion)
  const startedAt = performance.now()
  const checkedToken = createTokens ? checkToken(visit) : skipToken(visit)
  const [store, token, widget, lookups, order, mount] = await Promise.all([
    options.store,
    checkedToken,
    checkedToken.then(({ live }) => {
      const leftMs = startedAt + WHOLE_MS - performance.now()
      return checkPage(client.widgetUrl, live, fetch, Math.min(PAGE_MS, leftMs))
    }),
    checkLookups(visit),
    orderId === undefined ? [] : checkOrder(visit, orderId, Promise.resolve(options.store)),
    url === undefined ? [] : checkCompanion({ url, pageOrigin: page, fetch, deadline }),
  ]).finally(deadline.stop)
  const checks = nameTheKey([
    ...token.checks,
    ...lookups,
    ...widget,
    ...addresses,
    ...mount,
    ...checkStore(store, options.production),
    ...order,
  ])
  return {
    checks,
    pageNeeds: pageNeeds(client.widgetUrl, url),
    webhookPath: `/webhook/${await webhookKeyOf(client)}`,
    healthy: checks.every(({ result }) => result !== 'failed'),
  }
}

/** Creates none, and still finds out whether the service is there. */
async function skipToken(visit: Visit): Promise<TokenCheckup> {
  const skipped: Checkup = {
    name: 'access token',
    result: 'skipped',
    detail: 'no token was created, as you asked',
  }
  return { checks: [skipped, await checkTokenLookup(visit)], live: null }
}

/** A token needs both keys: when the lookups' key is refused, that is the one to look at first. */
function nameTheKey(checks: readonly Checkup[]): Checkup[] {
  const isOf = (check: Checkup, { setting }: { setting: string }): boolean =>
    check.result === 'failed' && check.setting === setting
  if (!checks.some((check) => isOf(check, wrongApiKey))) return [...checks]
  return checks.map((check) => (isOf(check, wrongSecretKey) ? { ...check, ...wrongApiKey } : check))
}

function checkStore(
  store: Pick<Store, 'forgets'> | undefined,
  production = globalThis.process?.env?.NODE_ENV === 'production',
): Checkup[] {
  const subject = {
    name: 'store',
    setting: 'store',
    address: null,
    remedy: mistakes.store_forgets.remedy,
  }
  if (!store) return []
  if (!store.forgets) return [ok(subject, 'outlives the process')]
  const cause = causeOf('store_forgets', {})
  return [production ? failed(subject, null, cause.seen) : note(subject, sentenceOf(cause))]
}

async function checkPage(
  widgetUrl: string,
  token: string | null,
  fetch: typeof globalThis.fetch,
  timeoutMs: number,
): Promise<Checkup[]> {
  const bare = `${widgetUrl}/widget/`
  const subject = widgetSubject('widget page', bare)
  if (timeoutMs <= 0) return [failed(subject, null, 'no time was left to read it')]
  const address = token === null ? bare : buildWidgetUrl(widgetUrl, token, {})
  const deadline = startDeadline(timeoutMs)
  try {
    const response = await deadline.race(fetch(address, { redirect: 'manual', signal: deadline.signal }))
    await response.body?.cancel()
    return readPageHeaders(bare, response.status, response.headers)
  } catch {
    const reason = deadline.signal.aborted
      ? `no answer within ${(timeoutMs / 1_000).toFixed(1)} s`
      : 'cannot be reached'
    return [failed(subject, null, reason)]
  } finally {
    deadline.stop()
  }
}

/**
 * The mistakes of a set-up that the toolkit recognises: one table for the doctor, the refusals in development, the server's log and
 * docs/errors.md. Names in braces are filled in.
 */
import { printable } from '../printable.ts'

export const mistakes = {
  companion_address: {
    seen: 'The companion believes it is at {companion} ({setting}), but the page is at {page}.',
    remedy: 'If {page} is yours, set {setting} to {expected}.',
  },
  host_not_passed: {
    seen: 'The companion believes it is at {companion} (the Host header), but the page is at {page}.',
    remedy: 'If {page} is yours, let the proxy pass Host, or set PURCHASE_COMPANION_URL to {expected}.',
  },
  forwarded_not_trusted: {
    seen: 'The companion believes it is at {companion} (the Host header), but the page and the X-Forwarded headers say {page}.',
    remedy:
      'If the proxy is yours, give toNodeHandler { trustProxy: 1 }, or set PURCHASE_COMPANION_URL to {expected}.',
  },
  page_not_allowed: {
    seen: 'The page is at {page}, but the allowed origins are {allowed}.',
    remedy: "If the page is yours, add '{page}' to allowedOrigins.",
  },
  page_refused: {
    seen: 'The companion refuses pages of {page}.',
    remedy:
      "If the page is yours, add '{page}' to allowedOrigins; without that option it is the origin of url, or of PURCHASE_COMPANION_URL.",
  },
  companion_elsewhere: {
    seen: 'The companion believes it is at {companion}, but it answers at {given}.',
    remedy:
      'Set url or PURCHASE_COMPANION_URL to {given}, or give --companion the address that shoppers see.',
  },
  origin_null: {
    seen: 'The page has no origin (Origin: null).',
    remedy: 'Serve the page over http or https; a sandboxed frame needs allow-same-origin.',
  },
  origin_missing: {
    seen: 'The request has no Origin header.',
    remedy:
      'Browsers send it with every POST: let no proxy remove it. An app sends Authorization, and no cookie.',
  },
  origin_rewritten: {
    seen: 'Origin is {page}, but the browser says that the page is on another one (Sec-Fetch-Site: {site}).',
    remedy:
      "Let the proxy pass Origin as it is, and add the page's real origin to allowedOrigins if it is yours.",
  },
  companion_path: {
    seen: 'The companion is mounted at {mount}, but {setting} is {companion}: whoever has paid comes back there and finds nothing.',
    remedy: 'Set {setting} to {expected}, unless a proxy changes the path.',
  },
  caller_behind_proxy: {
    seen: 'Rate limits count every shopper as {address}: a proxy sends X-Forwarded-For ({forwarded}), and trustProxy does not name it.',
    remedy: 'If the proxy is yours, give toNodeHandler { trustProxy: 1 }, the number of your proxies.',
  },
  on_order_missing: {
    seen: 'createCompanion has no onOrder: nothing is delivered when a shopper has paid.',
    remedy: 'Give it onOrder, which delivers an order.',
  },
  create_purchase_missing: {
    seen: 'createCompanion has no createPurchase: the page decides what is sold and at which price, and every order is unchecked.',
    remedy: 'Give it createPurchase, which says what is sold.',
  },
  sells_to_everybody: {
    seen: 'A purchase of nothing was begun for a caller without a session.',
    remedy: 'Give createCompanion createPurchase, which says what is sold, and see whom authorize lets in.',
  },
  store_missing: {
    seen: 'createCompanion has no store: a restart forgets purchases, webhooks that were acknowledged, and what onOrder has handled.',
    remedy:
      'Pass store: sqliteStore(file) for one machine or postgresStore(pool) for several, or store: memoryStore() if you want it so.',
  },
  store_forgets: {
    seen: 'The store forgets purchases and webhooks at every restart.',
    remedy: 'Give createCompanion sqliteStore(file) for one machine, postgresStore(pool) for several.',
  },
  widget_url_path: {
    seen: 'PURCHASE_WIDGET_URL ({url}) ends in /widget, which is added to it: shoppers are sent to {url}/widget/.',
    remedy: 'Set PURCHASE_WIDGET_URL to {expected}.',
  },
  widget_page: {
    seen: 'The widget page of PURCHASE_WIDGET_URL, {url}, {answer}.',
    remedy: 'Set PURCHASE_WIDGET_URL to the address of the widget page, without /widget/.',
  },
  setting_invalid: {
    seen: 'The configuration is incomplete or wrong: {problem}',
    remedy: 'Set it in the environment or as an option, and start the server again.',
  },
  service_unreachable: {
    seen: '{setting} ({address}): {reason}.',
    remedy: "Set {setting} to the service's address of {what}, and check that this server can reach it.",
  },
  service_address: {
    seen: '{setting} ({address}) answers {status}, but not as the service does.',
    remedy: "Set {setting} to the service's address of {what}.",
  },
  service_redirects: {
    seen: '{setting} ({address}) answers {status}, a redirect, which is never followed.',
    remedy: 'Set {setting} to the address that it redirects to, often https or another host name.',
  },
  service_failing: {
    seen: '{setting} ({address}) answers {status}.',
    remedy: 'Try again; if it stays, ask the service, or look whether {setting} is its address of {what}.',
  },
  keys_refused: {
    seen: 'The service at {address} ({setting}) refuses {keys} ({status}).',
    remedy:
      'Copy it from the dashboard again, whole. Keys and addresses must be of one account: the sandbox has its own; or the two keys are exchanged.',
  },
  permission_missing: {
    seen: 'The service at {address} ({setting}) knows PURCHASE_API_KEY, which may not do this ({status}).',
    remedy: 'Ask the service for the permission (5.3).',
  },
  not_a_request: {
    seen: 'companion.fetch was given something that is no web Request, such as the request of Express or node:http.',
    remedy: 'Mount toNodeHandler(companion) instead.',
  },
} as const

export type Mistake = keyof typeof mistakes

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? NameOf<Name> | NamesIn<Rest>
  : never
/** What stands in braces as code, such as `{ trustProxy: 1 }`, is none. */
type NameOf<Text> = Text extends `${string} ${string}` ? never : Text

export type ValuesOf<Which extends Mistake> = Record<
  NamesIn<(typeof mistakes)[Which]['seen']> | NamesIn<(typeof mistakes)[Which]['remedy']>,
  string
>

/** What was seen, and what to do. */
export interface Cause {
  readonly mistake: Mistake
  readonly seen: string
  readonly remedy: string
}

/** Values may come from any caller: they are cut, and what is not printable is escaped. */
export function causeOf<Which extends Mistake>(mistake: Which, values: ValuesOf<Which>): Cause {
  const given = new Map<string, string>(Object.entries(values))
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => shown(given.get(name) ?? ''))
  const { seen, remedy } = mistakes[mistake]
  return { mistake, seen: fill(seen), remedy: fill(remedy) }
}

const LONGEST_VALUE = 160

const shown = (value: string): string =>
  printable(value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value)

export const sentenceOf = ({ seen, remedy }: Cause): string => `${seen} ${remedy}`

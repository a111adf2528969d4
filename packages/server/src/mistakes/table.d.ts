export declare const mistakes: {
  readonly companion_address: {
    readonly seen: 'The companion believes it is at {companion} ({setting}), but the page is at {page}.'
    readonly remedy: 'If {page} is yours, set {setting} to {expected}.'
  }
  readonly host_not_passed: {
    readonly seen: 'The companion believes it is at {companion} (the Host header), but the page is at {page}.'
    readonly remedy: 'If {page} is yours, let the proxy pass Host, or set PURCHASE_COMPANION_URL to {expected}.'
  }
  readonly forwarded_not_trusted: {
    readonly seen: 'The companion believes it is at {companion} (the Host header), but the page and the X-Forwarded headers say {page}.'
    readonly remedy: 'If the proxy is yours, give toNodeHandler { trustProxy: 1 }, or set PURCHASE_COMPANION_URL to {expected}.'
  }
  readonly page_not_allowed: {
    readonly seen: 'The page is at {page}, but the allowed origins are {allowed}.'
    readonly remedy: "If the page is yours, add '{page}' to allowedOrigins."
  }
  readonly page_refused: {
    readonly seen: 'The companion refuses pages of {page}.'
    readonly remedy: "If the page is yours, add '{page}' to allowedOrigins; without that option it is the origin of url, or of PURCHASE_COMPANION_URL."
  }
  readonly companion_elsewhere: {
    readonly seen: 'The companion believes it is at {companion}, but it answers at {given}.'
    readonly remedy: 'Set url or PURCHASE_COMPANION_URL to {given}, or give --companion the address that shoppers see.'
  }
  readonly origin_null: {
    readonly seen: 'The page has no origin (Origin: null).'
    readonly remedy: 'Serve the page over http or https; a sandboxed frame needs allow-same-origin.'
  }
  readonly origin_missing: {
    readonly seen: 'The request has no Origin header.'
    readonly remedy: 'Browsers send it with every POST: let no proxy remove it. An app sends Authorization, and no cookie.'
  }
  readonly origin_rewritten: {
    readonly seen: 'Origin is {page}, but the browser says that the page is on another one (Sec-Fetch-Site: {site}).'
    readonly remedy: "Let the proxy pass Origin as it is, and add the page's real origin to allowedOrigins if it is yours."
  }
  readonly companion_path: {
    readonly seen: 'The companion is mounted at {mount}, but {setting} is {companion}: whoever has paid comes back there and finds nothing.'
    readonly remedy: 'Set {setting} to {expected}, unless a proxy changes the path.'
  }
  readonly caller_behind_proxy: {
    readonly seen: 'Rate limits count every shopper as {address}: a proxy sends X-Forwarded-For ({forwarded}), and trustProxy does not name it.'
    readonly remedy: 'If the proxy is yours, give toNodeHandler { trustProxy: 1 }, the number of your proxies.'
  }
  readonly on_order_missing: {
    readonly seen: 'createCompanion has no onOrder: nothing is delivered when a shopper has paid.'
    readonly remedy: 'Give it onOrder, which delivers an order.'
  }
  readonly create_purchase_missing: {
    readonly seen: 'createCompanion has no createPurchase: the page decides what is sold and at which price, and every order is unchecked.'
    readonly remedy: 'Give it createPurchase, which says what is sold.'
  }
  readonly sells_to_everybody: {
    readonly seen: 'A purchase of nothing was begun for a caller without a session.'
    readonly remedy: 'Give createCompanion createPurchase, which says what is sold, and see whom authorize lets in.'
  }
  readonly store_missing: {
    readonly seen: 'createCompanion has no store: a restart forgets purchases, webhooks that were acknowledged, and what onOrder has handled.'
    readonly remedy: 'Pass store: sqliteStore(file) for one machine or postgresStore(pool) for several, or store: memoryStore() if you want it so.'
  }
  readonly store_forgets: {
    readonly seen: 'The store forgets purchases and webhooks at every restart.'
    readonly remedy: 'Give createCompanion sqliteStore(file) for one machine, postgresStore(pool) for several.'
  }
  readonly widget_url_path: {
    readonly seen: 'PURCHASE_WIDGET_URL ({url}) ends in /widget, which is added to it: shoppers are sent to {url}/widget/.'
    readonly remedy: 'Set PURCHASE_WIDGET_URL to {expected}.'
  }
  readonly widget_page: {
    readonly seen: 'The widget page of PURCHASE_WIDGET_URL, {url}, {answer}.'
    readonly remedy: 'Set PURCHASE_WIDGET_URL to the address of the widget page, without /widget/.'
  }
  readonly setting_invalid: {
    readonly seen: 'The configuration is incomplete or wrong: {problem}'
    readonly remedy: 'Set it in the environment or as an option, and start the server again.'
  }
  readonly service_unreachable: {
    readonly seen: '{setting} ({address}): {reason}.'
    readonly remedy: "Set {setting} to the service's address of {what}, and see whether this machine may reach it."
  }
  readonly service_address: {
    readonly seen: '{setting} ({address}) answers {status}, but not as the service does.'
    readonly remedy: "Set {setting} to the service's address of {what}."
  }
  readonly service_redirects: {
    readonly seen: '{setting} ({address}) answers {status}, a redirect, which is never followed.'
    readonly remedy: 'Set {setting} to the address that it redirects to, often https or another host name.'
  }
  readonly service_failing: {
    readonly seen: '{setting} ({address}) answers {status}: {message}'
    readonly remedy: 'Try again; if it stays, ask the service, or look whether {setting} is its address of {what}.'
  }
  readonly keys_refused: {
    readonly seen: 'The service at {address} ({setting}) refuses {keys} ({status}).'
    readonly remedy: 'Copy it from the dashboard again, whole. Keys and addresses must be of one account: the sandbox has its own; or the two keys are exchanged.'
  }
  readonly permission_missing: {
    readonly seen: 'The service at {address} ({setting}) knows PURCHASE_API_KEY, which may not do this ({status}).'
    readonly remedy: 'Ask the service for the permission (5.3).'
  }
  readonly not_a_request: {
    readonly seen: 'companion.fetch was given something that is no web Request, such as the request of Express or node:http.'
    readonly remedy: 'Mount toNodeHandler(companion) instead.'
  }
}
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
/** Values may be a stranger's: they are cut, and what is not printable is escaped. */
export declare function causeOf<Which extends Mistake>(mistake: Which, values: ValuesOf<Which>): Cause
export declare const sentenceOf: ({ seen, remedy }: Cause) => string

/** The functions that need no page: for webviews, native apps and servers. Everything here runs in a bare JavaScript engine. */

export { parseReturnUrl, type Redirect, type ReturnAddresses, resolveRedirect } from '../returnAddress.ts'
export type { OrderSummary, ReturnInfo } from '../types.ts'
export { buildWidgetUrl, type WidgetUrlParts } from '../url.ts'

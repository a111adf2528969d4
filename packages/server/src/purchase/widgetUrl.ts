/** The address of the widget for one shopper (section 1 of the interface). */
import { customIdOf, returnAddress } from './carrier.ts'
import type { Purchase } from './purchase.ts'
import { paramsOf } from './shopper.ts'

/** `accessToken` cannot be overridden by `params` (U10). */
export function buildWidgetUrl(
  widgetUrl: string,
  accessToken: string,
  params: Record<string, string>,
): string {
  const url = new URL(`${widgetUrl}/widget/`)
  for (const [name, value] of Object.entries(params)) {
    if (name.toLowerCase() !== 'accesstoken') url.searchParams.set(name, value)
  }
  url.searchParams.set('accessToken', accessToken)
  return url.href
}

/** What was decided and chosen; the companion's own fields last. */
export function widgetParams(
  purchase: Purchase,
  chosen: Purchase['chosen'] = purchase.chosen,
): Record<string, string> {
  const { id, params, shopper, carrier, surface, redirectPage, url } = purchase
  return {
    ...params,
    ...chosen,
    ...paramsOf(shopper),
    ...(carrier === 'custom_id' ? { custom_id: customIdOf(id) } : {}),
    redirect_url: returnAddress(url, id, 'success'),
    fail_redirect_url: returnAddress(url, id, 'failure'),
    // The loader has opened the tab itself: the widget must not open another.
    redirect_page: surface === 'redirect' ? 'self' : redirectPage,
  }
}

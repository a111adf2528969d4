/** The address of the widget for one shopper (section 1 of the interface). */

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

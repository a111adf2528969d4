/** The settings with which the shop sells through a sandbox as if it were the real service. */
import type { Sandbox } from '@purchase-widget/sandbox'

export function settingsOf({ urls, credentials }: Sandbox): Record<string, string> {
  return {
    PURCHASE_WIDGET_URL: urls.widgetUrl,
    PURCHASE_WIDGET_API_URL: urls.widgetApiUrl,
    PURCHASE_BASE_URL: urls.baseUrl,
    PURCHASE_API_KEY: credentials.apiKey,
    PURCHASE_SECRET_KEY: credentials.secretKey,
  }
}

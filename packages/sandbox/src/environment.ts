/** The environment that points a server to a sandbox. */
import type { Sandbox } from './createSandbox.ts'

/** The variables that `@purchase-widget/server` reads. */
export const environmentOf = ({ urls, credentials }: Sandbox): Record<string, string> => ({
  PURCHASE_WIDGET_URL: urls.widgetUrl,
  PURCHASE_WIDGET_API_URL: urls.widgetApiUrl,
  PURCHASE_BASE_URL: urls.baseUrl,
  PURCHASE_API_KEY: credentials.apiKey,
  PURCHASE_SECRET_KEY: credentials.secretKey,
})

/** Settings of a client that reaches no server, for tests that answer in the service's place. */
export const settings = {
  widgetUrl: 'https://widget.example',
  widgetApiUrl: 'https://api.example',
  baseUrl: 'https://api.example',
  apiKey: 'key',
  secretKey: 'secret',
} as const

/** The same, as environment variables of a companion. */
export const variables = {
  PURCHASE_WIDGET_URL: settings.widgetUrl,
  PURCHASE_WIDGET_API_URL: settings.widgetApiUrl,
  PURCHASE_BASE_URL: settings.baseUrl,
  PURCHASE_API_KEY: settings.apiKey,
  PURCHASE_SECRET_KEY: settings.secretKey,
}

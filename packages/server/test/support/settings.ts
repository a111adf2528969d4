/** Settings of a client that reaches nobody, for tests that answer in the service's place. */
export const settings = {
  widgetUrl: 'https://widget.example',
  widgetApiUrl: 'https://api.example',
  baseUrl: 'https://api.example',
  apiKey: 'key',
  secretKey: 'secret',
} as const

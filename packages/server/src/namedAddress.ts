/** How a message names an address that stands in the environment. */

/**
 * `VARIABLE (address)`: without user, password and query. What may be a key in the wrong place is not shown.
 *
 * @param secrets what must not be in it.
 */
export function namedAddress(variable: string, value: string, secrets: readonly string[] = []): string {
  const shown = shownOf(value)
  const isSecret = secrets.some((secret) => secret !== '' && value.includes(secret))
  return shown === '' || isSecret ? variable : `${variable} (${shown})`
}

function shownOf(value: string): string {
  const url = URL.parse(value)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') {
    return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`
  }
  // Without a scheme: only what is clearly a host.
  return /^(localhost|([a-z0-9-]+\.)+[a-z]{2,24})(:\d+)?(?=\/|$)/.exec(value)?.[0] ?? ''
}

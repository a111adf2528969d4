/** Where plain http is safe. `hostname` as in `URL.hostname`. */

/** Which hosts are localhost. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/**
 * Localhost; and the hosts that `PURCHASE_PLAIN_HTTP_HOSTS` names, such as a sandbox's in a container. Production takes no notice of that
 * variable: whoever is on the way would read keys and tokens.
 */
const mayUsePlainHttp = (hostname: string): boolean => isLoopback(hostname) || namedHosts().includes(hostname)

/** https, or plain http where that is safe. */
export const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && mayUsePlainHttp(hostname))

function namedHosts(): string[] {
  // Not every runtime has `process`.
  const { NODE_ENV, PURCHASE_PLAIN_HTTP_HOSTS = '' } = globalThis.process?.env ?? {}
  return NODE_ENV === 'production' ? [] : PURCHASE_PLAIN_HTTP_HOSTS.split(',').map((name) => name.trim())
}

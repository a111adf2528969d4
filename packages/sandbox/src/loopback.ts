/** Recognises loopback hosts. */

/** The wildcard addresses: a server can listen on them, but no client can connect to them. */
export const anyAddress: readonly string[] = ['0.0.0.0', '::']

/**
 * True for 127.0.0.0/8, `[::1]`, `localhost` and its subdomains, which resolve only to loopback (RFC 6761, 6.3).
 *
 * @param hostname As in `URL.hostname`: in lower case, IPv4 addresses with four numbers.
 */
export const isLoopbackHost = (hostname: string): boolean =>
  /^127(\.\d+){3}$/.test(hostname) || hostname === '[::1]' || `.${hostname}`.endsWith('.localhost')

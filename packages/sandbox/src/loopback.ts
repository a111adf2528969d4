/** Which hosts are this machine. */

/** Stands for every address of this machine where a server listens; nobody is found at it. */
export const anyAddress: readonly string[] = ['0.0.0.0', '::']

/**
 * True for 127.0.0.0/8, `[::1]`, `localhost` and the names under it, which resolve to nothing else (RFC 6761, 6.3).
 *
 * @param hostname As in `URL.hostname`: in lower case, IPv4 addresses with four numbers.
 */
export const isLoopbackHost = (hostname: string): boolean =>
  /^127(\.\d+){3}$/.test(hostname) || hostname === '[::1]' || `.${hostname}`.endsWith('.localhost')

/** Which addresses may be opened. It runs in a bare JavaScript engine. */

/** https, or http on loopback, or http on another host, captured last; no user name, white space or backslash: what is left means what it looks like. */
const address =
  /^(https:\/\/[^\s/?#@\\]+|http:\/\/(localhost|127(\.\d+){3}|\[::1]|[\w-]+\.localhost|([\w.-]+))(:\d+)?)([/?#][^\s\\]*)?$/i

/** What may be opened beyond the pattern. */
export interface Allowed {
  readonly plainHttpHosts?: readonly string[] | undefined
}

/** Whether a host was named for plain http. Whoever is on the way reads along, so a page on https names none. */
const isNamed = (host: string, allowed: Allowed | undefined): boolean | undefined =>
  allowed?.plainHttpHosts?.includes(host) && globalThis.location?.protocol !== 'https:'

/** The origin of an address that the loader may open, as it is written there; undefined for any other. */
export function safeOrigin(value: unknown, allowed?: Allowed): string | undefined {
  const [, origin, , , host] = address.exec(`${value}`) ?? []
  // Where there is a URL parser, it knows more about hosts and ports.
  return globalThis.URL?.canParse?.(`${value}`) === false || (host && !isNamed(host, allowed))
    ? undefined
    : origin
}

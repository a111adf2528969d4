/** Which addresses a request came through, as far as they can be believed: each proxy appends to the right of `X-Forwarded-For`. */
// As a whole: a runtime without BlockList can then still load this file.
import net from 'node:net'
import { InvalidInputError } from '../errors.ts'

/** How many proxies are in front, or their addresses: IPv4, IPv6, or blocks such as `10.0.0.0/8`. */
export type TrustProxy = number | readonly string[]

/** Whether the address at this distance from the server, 0 for the connection's own, is a proxy that is believed. */
type Trusts = (address: string, distance: number) => boolean

/** @throws InvalidInputError for anything but a number of proxies, or addresses and blocks. */
export function compileTrust(trustProxy: TrustProxy): Trusts {
  if (typeof trustProxy === 'number') {
    if (!Number.isInteger(trustProxy) || trustProxy < 0) throw wrong()
    return (_, distance) => distance < trustProxy
  }
  if (!Array.isArray(trustProxy)) throw wrong()
  const list = new net.BlockList()
  for (const block of trustProxy) addBlock(list, block)
  return (address) => list.check(address, familyOf(address))
}

function addBlock(list: net.BlockList, block: string): void {
  const [address = '', bits] = String(block).split('/')
  if (net.isIP(address) === 0) throw wrong()
  try {
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  } catch {
    throw wrong()
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (net.isIPv6(address) ? 'ipv6' : 'ipv4')

const wrong = (): InvalidInputError =>
  new InvalidInputError(
    'configuration',
    'trustProxy must be the number of proxies in front of the server, or their addresses, e.g. 1 or ["10.0.0.0/8"].',
  )

export interface Route {
  /** The caller, as far as the proxies are believed. */
  caller: string | undefined
  /** From the connection's own address outwards. */
  proxies: string[]
}

export function routeOf(
  peer: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trusts: Trusts,
): Route {
  const forwarded = String(forwardedFor ?? '').split(',')
  const proxies: string[] = []
  let caller = peer
  while (caller !== undefined && trusts(caller, proxies.length)) {
    proxies.push(caller)
    const next = withoutPort(forwarded.pop()?.trim() ?? '')
    if (net.isIP(next) === 0) break
    caller = next
  }
  return { caller, proxies }
}

/** Some proxies write `203.0.113.9:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (address: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address

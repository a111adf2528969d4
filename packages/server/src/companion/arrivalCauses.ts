/** What a request shows of how the companion is reached, although it is answered. */
import { type Cause, causeOf } from '../mistakes/table.ts'
import type { Believed, BelievedFor } from './believed.ts'
import type { RequestInfo } from './options.ts'
import { warnOf } from './report.ts'

/**
 * Whether the return page will be where the companion says. A proxy or framework may take the beginning of a path away: only a mount
 * that is no end of the configured path is a mistake.
 */
function pathCause(mount: string, { url, setting }: Believed): Cause | null {
  const { origin, pathname } = new URL(url)
  if (setting === 'Host' || pathname.endsWith(mount || '/') || mount === '') return null
  return causeOf('companion_path', { mount, setting, companion: url, expected: origin + mount })
}

/** Loopback, private and link-local addresses: a shopper's own is none of them, but on the developer's machine. */
const isPrivate =
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd]|fe80:|::ffff:(127|10|192\.168)\.)/i

/** Whether the address that limits count is a proxy's. One that is trusted is not counted, but the address that it has appended. */
export function callerCause({ headers }: Request, { address }: RequestInfo): Cause | null {
  const forwarded = headers.get('x-forwarded-for')
  if (forwarded === null || address === undefined || !isPrivate.test(address)) return null
  if (forwarded.includes(address.replace(/^::ffff:/i, ''))) return null
  return causeOf('caller_behind_proxy', { address, forwarded })
}

/** Logs what would refuse nobody, and cost a shopper's purchase. Every request passes it. */
export function createArrivalCheck(): (
  request: Request,
  info: RequestInfo,
  mount: string,
  believedFor: BelievedFor,
) => void {
  let checkedMount: string | null = null
  return (request, info, mount, believedFor) => {
    const caller = callerCause(request, info)
    if (caller) warnOf(caller)
    if (mount === checkedMount) return
    checkedMount = mount
    const believed = believedFor(request)
    const path = believed && pathCause(mount, believed)
    if (path) warnOf(path)
  }
}

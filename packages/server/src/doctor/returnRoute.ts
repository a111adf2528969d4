/** The return page at the merchant's mount: whether it is the companion's own, and what may show it. */
import { type Checkup, failed, ok } from './checkup.ts'
import { type Answered, notTheCompanion, type Seen } from './mount.ts'

/** Of the right form, and nobody's. */
const PURCHASE_ID = 'doctordoctordoctor0000'

export const returnPath: string = `/return/${PURCHASE_ID}`

/** A server that quotes what was asked of it is none. */
export const isReturnPage = ({ status, body }: Seen): boolean =>
  status === 200 && body.includes(`"purchaseId":"${PURCHASE_ID}"`)

/** The address that the companion gives for this page to the service; undefined when it does not know its own. Minifiers drop quotes. */
export const canonicalOf = ({ body }: Seen): string | undefined =>
  /<link rel="?canonical"? href="?([^"\s>]*)/.exec(body)?.[1]

export const readReturnPage =
  (page: string) =>
  (seen: Answered): Checkup => {
    const { subject, status, headers } = seen
    if (!isReturnPage(seen)) return notTheCompanion(seen)
    const policy = headers.get('content-security-policy') ?? ''
    const ancestors = /frame-ancestors([^;]*)/i.exec(policy)?.[1]?.trim()
    const opener = headers.get('cross-origin-opener-policy') ?? 'unsafe-none'
    const byMiddleware = {
      setting: "your server's headers",
      remedy: 'mount the companion before helmet and whatever else sets headers, or leave its path out there',
    }
    if (!ancestors || !policy.includes("'nonce-")) {
      return failed(subject, status, 'its Content-Security-Policy was replaced', byMiddleware)
    }
    if (ancestors === "'none'") {
      return failed(subject, status, 'may be framed by no page', {
        setting: 'allowedOrigins',
        remedy: `name your pages in allowedOrigins, e.g. '${page}'`,
      })
    }
    if (opener !== 'unsafe-none') {
      const detail = `a popup cannot say that it has ended (Cross-Origin-Opener-Policy: ${opener})`
      return failed(subject, status, detail, byMiddleware)
    }
    return ok(subject, `may be framed by ${ancestors}`)
  }

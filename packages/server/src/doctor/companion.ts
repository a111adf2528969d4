/** Looks at the merchant's own mount from outside, as strangers, shoppers' browsers and the widget do. */
import type { Deadline } from '../client/deadline.ts'
import { type Checkup, failed, note, ok, type Subject } from './checkup.ts'

export interface Mount {
  /** Without a slash at the end. */
  url: string
  /** Of the merchant's page with the button; the companion's own when it is not named. */
  pageOrigin: string | undefined
  fetch: typeof globalThis.fetch
  deadline: Deadline
}

const STRANGER = 'https://stranger.example'
/** Of the right form, and nobody's. */
const PURCHASE_ID = 'doctordoctordoctor0000'

export async function checkCompanion(mount: Mount): Promise<Checkup[]> {
  const page = mount.pageOrigin ?? originOf(mount.url)
  return Promise.all([
    check(mount, 'companion', '/token', readStranger, tokenFrom(STRANGER)),
    check(mount, 'own page', '/token', readOwnPage(mount, page), tokenFrom(page)),
    check(mount, 'return page', `/return/${PURCHASE_ID}`, readReturnPage(page)),
    check(mount, 'script file', '/purchase-widget.js', readScript),
  ])
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? ''

const tokenFrom = (origin: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', origin },
  body: '{}',
})

interface Seen {
  subject: Subject
  status: number
  headers: Headers
  body: string
}

async function check(
  { url, fetch, deadline }: Mount,
  name: string,
  path: string,
  read: (seen: Seen) => Checkup,
  init: RequestInit = {},
): Promise<Checkup> {
  const address = url + path
  const subject: Subject = {
    name,
    setting: 'PURCHASE_COMPANION_URL',
    address,
    remedy:
      'give --companion the address at which it is mounted, and let everything below it reach the companion',
  }
  try {
    const asked = fetch(address, { ...init, redirect: 'manual', signal: deadline.signal })
    const { status, headers, ...response } = await deadline.race(asked).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      body: await deadline.race(response.text()),
    }))
    return status >= 500 ? inTrouble(subject, status) : read({ subject, status, headers, ...response })
  } catch {
    const reason = deadline.signal.aborted ? 'no answer in time' : 'cannot be reached'
    return failed(subject, null, reason, {
      remedy:
        'see whether the server runs and whether this machine may reach it: name, port, DNS, proxy, firewall',
    })
  }
}

const inTrouble = (subject: Subject, status: number): Checkup =>
  failed(subject, status, `answers ${status}`, {
    remedy: 'read the log of the server that it runs in: the companion writes there what it lacks',
  })

const notTheCompanion = ({ subject, status }: Seen): Checkup =>
  failed(subject, status, `answers ${status}, but not as a companion does: is this where it is mounted?`)

/** A page of another origin must get neither a token nor the right to read the answer. */
function readStranger(seen: Seen): Checkup {
  const { subject, status, headers, body } = seen
  const granted = headers.get('access-control-allow-origin')
  if (granted === '*' || granted === STRANGER) {
    const detail = `lets pages of any origin read its answers (Access-Control-Allow-Origin: ${granted})`
    return failed(subject, status, detail, {
      setting: 'allowedOrigins',
      remedy: 'take the CORS middleware off this path, and name your pages in allowedOrigins',
    })
  }
  if (status >= 200 && status < 300) {
    return failed(subject, status, 'gives a token to pages of any origin', {
      setting: 'allowedOrigins',
      remedy: 'let nothing answer or rewrite the Origin header before the companion',
    })
  }
  return codeOf(body) === 'forbidden_origin'
    ? ok(subject, 'refuses pages of other origins')
    : notTheCompanion(seen)
}

/** Without a session: to be asked for one is what a page that is allowed gets. */
const readOwnPage =
  ({ pageOrigin }: Mount, page: string) =>
  (seen: Seen): Checkup => {
    const { subject, status, headers, body } = seen
    const code = codeOf(body)
    if (code === 'forbidden_origin') {
      const detail = `refuses pages of ${page}`
      if (pageOrigin === undefined) return note(subject, `${detail}: name your page with --page ORIGIN`)
      return failed(subject, status, detail, {
        setting: 'allowedOrigins',
        remedy: `add '${page}' to allowedOrigins; without that option it is the origin of url, PURCHASE_COMPANION_URL`,
      })
    }
    const isCompanion = code !== undefined || body.includes('"purchaseId"')
    if (!isCompanion) return notTheCompanion(seen)
    if (
      page !== originOf(seen.subject.address ?? '') &&
      headers.get('access-control-allow-origin') !== page
    ) {
      return failed(subject, status, `its answers cannot be read by pages of ${page}`, {
        setting: 'allowedOrigins',
        remedy: 'let nothing remove the CORS headers of the companion, or answer OPTIONS instead of it',
      })
    }
    return status === 401
      ? ok(subject, `pages of ${page} may call`)
      : note(subject, `answers ${status} without a session: does authorize know who asks?`)
  }

function codeOf(body: string): unknown {
  try {
    const answer = JSON.parse(body) as { error?: { code?: unknown } } | null
    return answer?.error?.code
  } catch {
    return undefined
  }
}

const readReturnPage =
  (page: string) =>
  (seen: Seen): Checkup => {
    const { subject, status, headers, body } = seen
    if (status !== 200 || !body.includes(PURCHASE_ID)) return notTheCompanion(seen)
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

function readScript({ subject, status, headers }: Seen): Checkup {
  const isScript = /javascript/.test(headers.get('content-type') ?? '')
  return status === 200 && isScript
    ? ok(subject, 'served')
    : note(subject, `answers ${status}: serve purchase-widget.js of @purchase-widget/loader yourself`)
}

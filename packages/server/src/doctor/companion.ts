/** Checks the merchant's own mount from outside: first whether a companion answers there, then what it answers. */
import { escapeHtml } from '../companion/page.ts'
import type { Deadline } from '../deadline.ts'
import { causeOf, sentenceOf } from '../mistakes.ts'
import { isObject, parseJson } from '../unknown.ts'
import { type Checkup, failed, note, ok, type Subject } from './checkup.ts'
import { type Answered, ask, isAnswered, notTheCompanion, read, type Seen } from './mount.ts'

/** @param url without a slash at the end. */
export async function checkCompanion(url: string, deadline: Deadline): Promise<Checkup[]> {
  const page = URL.parse(url)?.origin ?? ''
  const [foreignPage, ownPage, returned, script] = await Promise.all([
    ask(deadline, 'companion', `${url}/launch`, purchaseFrom(FOREIGN_PAGE)),
    ask(deadline, 'own page', `${url}/launch`, purchaseFrom(page)),
    ask(deadline, 'return page', url + returnPath),
    ask(deadline, 'script file', `${url}/purchase-widget.js`),
  ])
  const isThere = [foreignPage, ownPage].some(isPurchaseAnswer) || isReturnPage(returned)
  if (!isThere) return [noCompanion(url, [foreignPage, ownPage, returned, script])]
  const address = sameAddress(url, returned)
  return [
    ...address,
    read(foreignPage, readForeignPage),
    // The check assumes that the page has the companion's origin, which is wrong if the companion has another address than it believes.
    ...(address.length === 0 ? [read(ownPage, readOwnPage(page))] : []),
    read(returned, readReturnPage(page)),
    read(script, readScript),
  ]
}

/** One row for all requests: none was answered by a companion. */
function noCompanion(url: string, all: [Seen, ...Seen[]]): Checkup {
  const seen = all.find(isAnswered) ?? all[0]
  return read({ ...seen, subject: { ...seen.subject, name: 'companion' } }, ({ subject, status }) =>
    failed(subject, status, `no companion answers at ${url} (status ${status})`, {
      remedy: 'mount it there, or give --companion its address',
    }),
  )
}

function readScript({ subject, status, headers }: Answered): Checkup {
  const isScript = /javascript/.test(headers.get('content-type') ?? '')
  return status === 200 && isScript
    ? ok(subject, 'served')
    : note(subject, `answers ${status}: serve purchase-widget.js of @purchase-widget/loader yourself`)
}

/** A well-formed id that belongs to no purchase. */
const PURCHASE_ID = 'doctordoctordoctor0000'

const returnPath: string = `/return/${PURCHASE_ID}`

/** A server that only echoes the request is not a companion. */
const isReturnPage = ({ status, body }: Seen): boolean =>
  status === 200 && body.includes(`"purchaseId":"${PURCHASE_ID}"`)

/** The address of this page that the companion gives to the service; undefined when it does not know its own. Minifiers drop quotes. */
const canonicalOf = ({ body }: Seen): string | undefined =>
  /<link rel="?canonical"? href="?([^"\s>]*)/.exec(body)?.[1]

const readReturnPage =
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
      const detail = `a popup cannot report that it has ended (Cross-Origin-Opener-Policy: ${opener})`
      return failed(subject, status, detail, byMiddleware)
    }
    return ok(subject, `may be framed by ${ancestors}`)
  }

/** Empty when the companion has the address that it believes to have, or when its return page does not answer. */
function sameAddress(url: string, returned: Seen): Checkup[] {
  if (!isReturnPage(returned)) return []
  const subject: Subject = {
    name: 'companion address',
    setting: 'url',
    address: returned.subject.address,
    remedy: causeOf('companion_elsewhere', { companion: '', given: url }).remedy,
  }
  const canonical = canonicalOf(returned)
  if (canonical === undefined) return [failed(subject, 200, 'the companion does not know its own address')]
  if (canonical === escapeHtml(url + returnPath)) return []
  const believed = canonical.slice(0, canonical.lastIndexOf('/return/'))
  return [failed(subject, 200, causeOf('companion_elsewhere', { companion: believed, given: url }).seen)]
}

const FOREIGN_PAGE = 'https://stranger.example'

const purchaseFrom = (origin: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', origin },
  body: '{}',
})

/** Codes that no companion returns for `POST /launch`. */
const FOREIGN_CODES = ['not_found', 'method_not_allowed']

function isPurchaseAnswer({ body }: Seen): boolean {
  const { error, ...grant } = fieldsOf(body)
  if ('accessToken' in grant || 'purchaseId' in grant) return true
  return error?.code !== undefined && !FOREIGN_CODES.includes(error.code)
}

/** A page of another origin must be able neither to create a purchase nor to read the answer. */
function readForeignPage(seen: Answered): Checkup {
  const { subject, status, headers, body } = seen
  const granted = headers.get('access-control-allow-origin')
  if (!isPurchaseAnswer(seen)) return notTheCompanion(seen)
  if (granted === '*' || granted === FOREIGN_PAGE) {
    const detail = `lets pages of any origin read its answers (Access-Control-Allow-Origin: ${granted})`
    return failed(subject, status, detail, {
      setting: 'allowedOrigins',
      remedy: 'take the CORS middleware off this path, and name your pages in allowedOrigins',
    })
  }
  if (status >= 200 && status < 300) {
    return failed(subject, status, 'creates purchases for pages of any origin', {
      setting: 'allowedOrigins',
      remedy: 'let nothing answer or rewrite the Origin header before the companion',
    })
  }
  return codeOf(body) === 'forbidden_origin'
    ? ok(subject, 'refuses pages of other origins')
    : notTheCompanion(seen)
}

/** The codes for a body that arrived empty, already read, or changed: the body that was sent is valid. */
const aboutBody = ['invalid_request', 'unsupported_media_type', 'too_large', 'request_timeout']

/** Sent without a session: the companion answers 401 to a page that is allowed, unless the shop sells to everybody. */
const readOwnPage =
  (page: string) =>
  (seen: Answered): Checkup => {
    if (!isPurchaseAnswer(seen)) return notTheCompanion(seen)
    const { subject, status, body } = seen
    const code = codeOf(body)
    if (code === undefined) return note(subject, sentenceOf(causeOf('sells_to_everybody', {})))
    if (code === 'unauthorized') return ok(subject, `pages of ${page} may call`)
    if (code === 'purchase_refused') {
      return ok(subject, `pages of ${page} may call; your createPurchase refused a purchase of nothing`)
    }
    // All of the shop's pages may be on other origins.
    if (code === 'forbidden_origin') return note(subject, sentenceOf(causeOf('page_refused', { page })))
    if (aboutBody.includes(code)) {
      const detail = `answers ${status}: the body that was sent did not reach the companion`
      const setting = "your server's body parsers"
      return failed(subject, status, detail, { setting, remedy: 'mount the companion before body parsers' })
    }
    return note(subject, `answers ${status} without a session: does authorize recognize the caller?`)
  }

interface Fields {
  error?: { code?: string }
}

const codeOf = (body: string): string | undefined => fieldsOf(body).error?.code

function fieldsOf(body: string): Fields {
  const answer = parseJson(body)
  return isObject(answer) ? answer : {}
}

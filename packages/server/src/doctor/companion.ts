/** Checks the merchant's own mount from outside: first whether a companion answers there, then what it answers. */
import { escapeHtml } from '../companion/page.ts'
import type { Deadline } from '../deadline.ts'
import { causeOf, sentenceOf } from '../mistakes.ts'
import { isObject, parseJson } from '../unknown.ts'
import { type Answered, ask, type Checkup, type Failed, failed, isAnswered, note, ok } from './checkup.ts'
import { frameAncestorsOf, openerPolicyOf } from './pageHeaders.ts'

/** @param url without a slash at the end. */
export async function checkCompanion(url: string, deadline: Deadline): Promise<Checkup[]> {
  const page = URL.parse(url)?.origin ?? ''
  const askFor = (name: string, path: string, init?: RequestInit): Promise<Answered | Failed> => {
    const address = url + path
    const remedy =
      'give --companion the address at which it is mounted, and let everything below it reach the companion'
    return ask(deadline, { name, setting: '--companion', address, remedy }, address, {
      ...init,
      readsBody: true,
    })
  }
  const [foreignPage, ownPage, returned, script] = await Promise.all([
    askFor('companion', '/launch', purchaseFrom(FOREIGN_PAGE)),
    askFor('own page', '/launch', purchaseFrom(page)),
    askFor('return page', returnPath),
    askFor('script file', '/purchase-widget.js'),
  ])
  const isThere = [foreignPage, ownPage].some(isPurchaseAnswer) || isReturnPage(returned)
  if (!isThere) {
    const seen = [foreignPage, ownPage, returned, script].find(isAnswered) ?? foreignPage
    return [{ ...read(seen, (answered) => noCompanion(answered, url)), name: 'companion' }]
  }
  const address = isReturnPage(returned) ? sameAddress(url, returned) : []
  return [
    ...address,
    read(foreignPage, readForeignPage),
    // The check assumes that the page has the companion's origin, which is wrong if the companion has another address than it believes.
    ...(address.length === 0 ? [read(ownPage, (seen) => readOwnPage(seen, page))] : []),
    read(returned, (seen) => readReturnPage(seen, page)),
    read(script, readScript),
  ]
}

/** A row for an answer, or for a missing one. */
function read(asked: Answered | Failed, judge: (answered: Answered) => Checkup): Checkup {
  if (!isAnswered(asked)) {
    const remedy = 'check that the server runs and can be reached from here: name, port, DNS, proxy, firewall'
    return { ...asked, remedy }
  }
  const { subject, status } = asked
  if (status < 500) return judge(asked)
  const remedy = 'see there why; the companion logs what is missing'
  return failed({ ...subject, setting: "your server's log", remedy }, status, `answers ${status}`)
}

function noCompanion({ subject, status }: Answered, url: string): Checkup {
  const remedy = 'mount it there, or give --companion its address'
  return failed({ ...subject, remedy }, status, `no companion answers at ${url} (status ${status})`)
}

const notTheCompanion = ({ subject, status }: Answered): Checkup =>
  failed(subject, status, `answers ${status}, but not as a companion does: is this where it is mounted?`)

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
const isReturnPage = (asked: Answered | Failed): asked is Answered =>
  isAnswered(asked) && asked.status === 200 && asked.body.includes(`"purchaseId":"${PURCHASE_ID}"`)

function readReturnPage(seen: Answered, page: string): Checkup {
  const { subject, status, headers } = seen
  if (!isReturnPage(seen)) return notTheCompanion(seen)
  const ancestors = frameAncestorsOf(headers)
  const opener = openerPolicyOf(headers)
  const byMiddleware = {
    ...subject,
    setting: "your server's headers",
    remedy: 'mount the companion before helmet and whatever else sets headers, or leave its path out there',
  }
  if (!ancestors || !headers.get('content-security-policy')?.includes("'nonce-")) {
    return failed(byMiddleware, status, 'its Content-Security-Policy was replaced')
  }
  if (ancestors === "'none'") {
    const remedy = `name your pages in allowedOrigins, e.g. '${page}'`
    return failed({ ...subject, setting: 'allowedOrigins', remedy }, status, 'may be framed by no page')
  }
  if (opener !== 'unsafe-none') {
    const detail = `a popup cannot report that it has ended (Cross-Origin-Opener-Policy: ${opener})`
    return failed(byMiddleware, status, detail)
  }
  return ok(subject, `may be framed by ${ancestors}`)
}

/** The address of this page that the companion gives to the service; undefined when it does not know its own. Minifiers drop quotes. */
const canonicalOf = ({ body }: Answered): string | undefined =>
  /<link rel="?canonical"? href="?([^"\s>]*)/.exec(body)?.[1]

/** Empty when the companion has the address that it believes to have. */
function sameAddress(url: string, returned: Answered): Checkup[] {
  const canonical = canonicalOf(returned)
  if (canonical === escapeHtml(url + returnPath)) return []
  const companion = canonical?.slice(0, canonical.lastIndexOf('/return/')) ?? ''
  const { seen, remedy } = causeOf('companion_elsewhere', { companion, given: url })
  const { address } = returned.subject
  const detail = canonical === undefined ? 'the companion does not know its own address' : seen
  return [failed({ name: 'companion address', setting: 'url', address, remedy }, 200, detail)]
}

const FOREIGN_PAGE = 'https://stranger.example'

const purchaseFrom = (origin: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', origin },
  body: '{}',
})

/** Codes that no companion returns for `POST /launch`. */
const FOREIGN_CODES: readonly unknown[] = ['not_found', 'method_not_allowed']

/** The code of a refusal, or `created`, of `POST /launch`; undefined for an answer that is no companion's. */
function purchaseAnswerOf({ body }: Answered): string | undefined {
  const answer = parseJson(body)
  if (!isObject(answer)) return undefined
  if ('accessToken' in answer || 'purchaseId' in answer) return 'created'
  const code = isObject(answer.error) ? answer.error.code : undefined
  return typeof code === 'string' && !FOREIGN_CODES.includes(code) ? code : undefined
}

const isPurchaseAnswer = (asked: Answered | Failed): boolean =>
  isAnswered(asked) && purchaseAnswerOf(asked) !== undefined

/** A page of another origin must be able neither to create a purchase nor to read the answer. */
function readForeignPage(seen: Answered): Checkup {
  const { subject, status, headers } = seen
  const granted = headers.get('access-control-allow-origin')
  const code = purchaseAnswerOf(seen)
  const tooOpen = { ...subject, setting: 'allowedOrigins' }
  if (code !== undefined && (granted === '*' || granted === FOREIGN_PAGE)) {
    const remedy = 'take the CORS middleware off this path, and name your pages in allowedOrigins'
    const detail = `lets pages of any origin read its answers (Access-Control-Allow-Origin: ${granted})`
    return failed({ ...tooOpen, remedy }, status, detail)
  }
  if (code === 'created') {
    const remedy = 'let nothing answer or rewrite the Origin header before the companion'
    return failed({ ...tooOpen, remedy }, status, 'creates purchases for pages of any origin')
  }
  return code === 'forbidden_origin' ? ok(subject, 'refuses pages of other origins') : notTheCompanion(seen)
}

/** The codes for a body that arrived empty, already read, or changed: the body that was sent is valid. */
const aboutBody = ['invalid_request', 'unsupported_media_type', 'too_large', 'request_timeout']

/** Sent without a session: the companion answers 401 to a page that is allowed, unless the shop sells to everybody. */
function readOwnPage(seen: Answered, page: string): Checkup {
  const { subject, status } = seen
  const code = purchaseAnswerOf(seen)
  if (code === undefined) return notTheCompanion(seen)
  if (code === 'created') return note(subject, sentenceOf(causeOf('sells_to_everybody', {})))
  // A shop that sells to everybody may refuse to sell nothing.
  if (code === 'unauthorized' || code === 'purchase_refused') return ok(subject, `pages of ${page} may call`)
  // All of the shop's pages may be on other origins.
  if (code === 'forbidden_origin') return note(subject, sentenceOf(causeOf('page_refused', { page })))
  if (aboutBody.includes(code)) {
    const mounted = {
      ...subject,
      setting: "your server's body parsers",
      remedy: 'mount the companion before body parsers',
    }
    return failed(mounted, status, `answers ${status}: the body that was sent did not reach the companion`)
  }
  return note(subject, `answers ${status} without a session: does authorize recognize the caller?`)
}

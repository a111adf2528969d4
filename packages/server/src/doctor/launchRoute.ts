/** `POST /launch` at the merchant's mount: whom it lets in, and with what it refuses. */
import { causeOf, sentenceOf } from '../mistakes/table.ts'
import { isObject, parseJson } from '../unknown.ts'
import { type Checkup, failed, note, ok } from './checkup.ts'
import { type Answered, type Mount, notTheCompanion, type Seen } from './mount.ts'

export const FOREIGN_PAGE = 'https://stranger.example'

export const purchaseFrom = (origin: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', origin },
  body: '{}',
})

/** What no companion says to a `POST /launch`. */
const ofOthers = ['not_found', 'method_not_allowed']

export function isPurchaseAnswer({ body }: Seen): boolean {
  const { error, ...grant } = fieldsOf(body)
  if ('accessToken' in grant || 'purchaseId' in grant) return true
  return error?.code !== undefined && !ofOthers.includes(error.code)
}

/** A page of another origin must neither begin a purchase nor have the right to read the answer. */
export function readForeignPage(seen: Answered): Checkup {
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
    return failed(subject, status, 'begins purchases for pages of any origin', {
      setting: 'allowedOrigins',
      remedy: 'let nothing answer or rewrite the Origin header before the companion',
    })
  }
  return codeOf(body) === 'forbidden_origin'
    ? ok(subject, 'refuses pages of other origins')
    : notTheCompanion(seen)
}

/** Without a session: to be asked for one is what a page that is allowed gets, unless the shop sells to everybody. */
export const readOwnPage =
  ({ pageOrigin, url }: Mount, page: string) =>
  (seen: Answered): Checkup => {
    const { subject, status, headers, body } = seen
    const code = codeOf(body)
    if (!isPurchaseAnswer(seen)) return notTheCompanion(seen)
    if (code === 'forbidden_origin') {
      const { seen: detail, remedy } = causeOf('page_refused', { page })
      if (pageOrigin === undefined) return note(subject, `${detail} Name your page with --page ORIGIN.`)
      return failed(subject, status, detail, { setting: 'allowedOrigins', remedy })
    }
    if (page !== URL.parse(url)?.origin && headers.get('access-control-allow-origin') !== page) {
      return failed(subject, status, `its answers cannot be read by pages of ${page}`, {
        setting: 'allowedOrigins',
        remedy: 'let nothing remove the CORS headers of the companion, or answer OPTIONS instead of it',
      })
    }
    return readRefusal(seen, page)
  }

/** The codes of a body that was empty, was read already, or was changed: the one that was sent is as it should be. */
const aboutBody = ['invalid_request', 'unsupported_media_type', 'too_large', 'request_timeout']

function readRefusal({ subject, status, body }: Answered, page: string): Checkup {
  const code = codeOf(body)
  if (code === 'unauthorized') return ok(subject, `pages of ${page} may call`)
  if (code === 'purchase_refused') {
    return ok(subject, `pages of ${page} may call; your createPurchase refused a purchase of nothing`)
  }
  if (code !== undefined && aboutBody.includes(code)) {
    return failed(subject, status, `answers ${status}: the body that was sent did not reach the companion`, {
      setting: "your server's body parsers",
      remedy: 'mount the companion before body parsers',
    })
  }
  if (code === undefined) return note(subject, sentenceOf(causeOf('sells_to_everybody', {})))
  return note(subject, `answers ${status} without a session: does authorize know who asks?`)
}

interface Fields {
  error?: { code?: string }
}

const codeOf = (body: string): string | undefined => fieldsOf(body).error?.code

function fieldsOf(body: string): Fields {
  const answer = parseJson(body)
  return isObject(answer) ? answer : {}
}

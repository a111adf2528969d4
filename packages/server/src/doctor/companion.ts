/** Looks at the merchant's own mount from outside, as strangers and browsers do. */
import type { Deadline } from '../client/deadline.ts'
import type { Checkup } from './visit.ts'

interface Mount {
  /** Without a slash at the end. */
  url: string
  fetch: typeof globalThis.fetch
  deadline: Deadline
}

const STRANGER = 'https://stranger.example'
/** Of the right form, and nobody's. */
const PURCHASE_ID = 'doctordoctordoctor0000'

export async function checkCompanion(mount: Mount): Promise<Checkup[]> {
  return Promise.all([
    check(mount, 'companion', '/token', readStrangerAnswer, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: STRANGER },
      body: '{}',
    }),
    check(mount, 'return page', `/return/${PURCHASE_ID}`, readReturnPage),
    check(mount, 'script file', '/purchase-widget.js', readScript),
  ])
}

type Verdict = Pick<Checkup, 'result' | 'detail'>

async function check(
  { url, fetch, deadline }: Mount,
  name: string,
  path: string,
  read: (response: Response, body: string) => Verdict,
  init: RequestInit = {},
): Promise<Checkup> {
  try {
    const asked = fetch(url + path, { ...init, redirect: 'manual', signal: deadline.signal })
    const response = await deadline.race(asked)
    return { name, ...read(response, await deadline.race(response.text())) }
  } catch {
    return { name, ...failed(`no answer at ${url}${path}`) }
  }
}

const ok = (detail: string): Verdict => ({ result: 'ok', detail })
const failed = (detail: string): Verdict => ({ result: 'failed', detail })

/** A page of another origin must get neither a token nor the right to read the answer. */
function readStrangerAnswer({ status, headers }: Response, body: string): Verdict {
  const granted = headers.get('access-control-allow-origin')
  if (granted === '*' || granted === STRANGER) {
    return failed(`lets pages of any origin read its answers (Access-Control-Allow-Origin: ${granted})`)
  }
  if (status >= 200 && status < 300) return failed('gives a token to pages of any origin')
  if (status >= 500) return failed(`answers ${status}: look at its log`)
  return codeOf(body) === 'forbidden_origin'
    ? ok('refuses pages of other origins')
    : failed(`answers ${status}, but not as a companion does: is this where it is mounted?`)
}

function codeOf(body: string): unknown {
  try {
    const answer = JSON.parse(body) as { error?: { code?: unknown } } | null
    return answer?.error?.code
  } catch {
    return undefined
  }
}

function readReturnPage({ status, headers }: Response, body: string): Verdict {
  if (status !== 200 || !body.includes(PURCHASE_ID))
    return failed(`answers ${status}, but not as a companion does`)
  const policy = headers.get('content-security-policy') ?? ''
  const ancestors = /frame-ancestors([^;]*)/i.exec(policy)?.[1]?.trim()
  const opener = headers.get('cross-origin-opener-policy') ?? 'unsafe-none'
  if (!ancestors) return failed('its Content-Security-Policy was replaced: leave the companion’s as it is')
  if (ancestors === "'none'") return failed('may be framed by no page: give allowedOrigins')
  if (opener !== 'unsafe-none') {
    return failed(`a popup cannot say that it has ended: take Cross-Origin-Opener-Policy: ${opener} off it`)
  }
  return ok(`may be framed by ${ancestors}`)
}

function readScript({ status, headers }: Response): Verdict {
  const isScript = /javascript/.test(headers.get('content-type') ?? '')
  return status === 200 && isScript
    ? ok('served')
    : {
        result: 'note',
        detail: `answers ${status}: serve purchase-widget.js of @purchase-widget/loader yourself`,
      }
}

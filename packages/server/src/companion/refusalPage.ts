/** A refusal for somebody who followed a link: a sentence and the way back, where a script would get JSON. */
import { preferredBy, speak } from '../language.ts'
import type { Words } from '../languages/types.ts'
import type { Refusal, RefusalCode } from './answer.ts'
import { escapeHtml, hostOf, linkTo, pageAnswer } from './page.ts'

/** Whether the answer is for a person's window. */
export const isForWindow = (request: Request): boolean =>
  request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html')

/** What a shopper is told in their language. The merchant has said the rest, in a language that we do not know. */
const wordsOf = {
  not_found: 'ended',
  method_not_allowed: 'ended',
  unauthorized: 'signIn',
  forbidden: 'ended',
  forbidden_origin: 'ended',
  purchase_refused: null,
  unsupported_media_type: 'ended',
  invalid_request: 'ended',
  conflict: 'ended',
  too_large: 'ended',
  request_timeout: 'failed',
  too_many_requests: 'tooMany',
  service_unavailable: 'away',
  internal_error: 'failed',
} as const satisfies Record<RefusalCode, keyof Words | null>

interface Refused {
  /** The refusal as JSON; its status and headers such as `Retry-After` are kept. */
  answer: Response
  refusal: Refusal
  /** What a developer can mend, in English; null in production. */
  reason: string | null
  request: Request
  /** The shop's origin, for the way back. */
  home: string | undefined
}

export function refusalPage({ answer, refusal, reason, request, home }: Refused): Response {
  const { lang, dir, words } = speak([localeOf(request), ...preferredBy(request)])
  const word = wordsOf[refusal.code]
  const page = pageAnswer({
    status: answer.status,
    ...(word ? { lang, dir } : { lang: '', dir: 'auto' }),
    title: (home && hostOf(home)) || '…',
    hosts: [],
    body: () =>
      `<main><h1>${escapeHtml(word ? words[word] : refusal.message)}</h1>${forDeveloper(reason)}${linkTo(home)}</main>`,
  })
  for (const [name, value] of answer.headers) if (!page.headers.has(name)) page.headers.set(name, value)
  return page
}

const forDeveloper = (reason: string | null): string =>
  reason === null ? '' : `<p lang="en" dir="ltr">${escapeHtml(reason)}</p>`

/** The language that a link asks for. */
const localeOf = ({ url }: Request): string => URL.parse(url)?.searchParams.get('locale') ?? ''

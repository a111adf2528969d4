/** Answers a failed request: with JSON, or for a followed link with a page that has a sentence and the way back. */

import { isInvalidInputError, isPurchaseRefused, PurchaseError } from '../errors.ts'
import { preferredBy, speak } from '../language.ts'
import { type Cause, sentenceOf } from '../mistakes.ts'
import { TooManyReads } from '../reads/turns.ts'
import { unlessThrows } from '../unknown.ts'
import { Refusal, refuse, wordOf } from './answer.ts'
import { failureCause } from './causes.ts'
import { type Ctx, placeIfKnown } from './context.ts'
import { isFramed } from './guard.ts'
import { escapeHtml, hostOf, linkTo, pageAnswer, scriptOf } from './page.ts'
import { isDevelopment, pathOf, webOrigins } from './place.ts'
import { warnOf } from './report.ts'
import type { OnError } from './services.ts'

export type FailureAnswer = (error: unknown, c: Ctx) => Promise<Response>

/** @param onError receives every failure that is not a deliberate refusal. */
export function createFailureAnswer(onError: OnError): FailureAnswer {
  return async (error, c) => {
    const during = routeOf(c)
    const isRefusal = error instanceof Refusal
    if (isRefusal && error.cause !== undefined) onError(error.cause, { during })
    const isExpected = isRefusal || isPurchaseRefused(error) || error instanceof TooManyReads
    if (!isExpected) onError(error, { during })
    const refusal = toRefusal(error)
    const cause = failureCause(error, c)
    // Refusals have an allowance of their own, so that unauthenticated callers cannot use up the shoppers'.
    try {
      const network = c.get('network')
      if (isRefusal && network !== null) c.get('services')().limits.refused(network)
    } catch (failure) {
      if (failure instanceof Refusal) return answerFor(failure, c, failureCause(failure, c))
    }
    await keepRefusal(c, refusal)
    return answerFor(refusal, c, cause)
  }
}

function answerFor(refusal: Refusal, c: Ctx, cause: Cause | null): Response {
  const request = c.req.raw
  if (cause) warnOf(cause)
  // In production the caller learns no more than they need.
  const reason = cause && isDevelopment() ? sentenceOf(cause) : null
  if (refusal.instead && !isFramed(request)) return refusal.instead
  const answer = refuse(refusal, reason ?? refusal.message)
  // The rest of the body is not read: a caller over an allowance must not keep a connection by sending it slowly.
  if (answer.status === 429 && request.method === 'POST') answer.headers.set('connection', 'close')
  if (!isForWindow(request) && !refusal.instead) return answer
  return refusalPage(c, refusal, reason, answer)
}

/** Stores the refusal for the page that opened the purchase: it cannot read what its frame or window shows of another page. */
async function keepRefusal(c: Ctx, refusal: Refusal): Promise<void> {
  const opening = c.get('opening')
  if (!opening) return
  // A companion that is not configured has no store either: `onError` has received that failure.
  const services = unlessThrows(c.get('services'))
  await services?.refusals.keep(opening.purchaseId, c.get('caller') ?? null, refusal)
}

/** For the log: without the id at the end of the path, which may be the webhook's key. */
function routeOf({ req }: Ctx): string {
  const path = pathOf(req.path)
  return `${req.method} ${path.replace(/^\/(orders|purchases|webhook|return)\/.*$/, '/$1/:id')}`
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isPurchaseRefused(error)) return new Refusal('purchase_refused', error.problem)
  if (error instanceof TooManyReads) {
    return unavailable('Too much is asked of the shop at the moment. Try again soon.', { 'retry-after': '3' })
  }
  const isInvalid = isInvalidInputError(error)
  // The missing setting is for the log, not for the shopper. Any other is a mistake in the shop's code.
  if (isInvalid && error.operation === 'configuration') {
    return unavailable('The shop cannot sell at the moment: its server is not set up yet.')
  }
  return error instanceof PurchaseError && !isInvalid
    ? unavailable('The purchase service cannot be reached at the moment. Try again soon.')
    : new Refusal('internal_error', 'Something went wrong on the server.')
}

const unavailable = (message: string, headers: Record<string, string> = {}): Refusal =>
  new Refusal('service_unavailable', message, { headers })

/** Routers such as Turbo fetch links. They would show a page of the companion's as the shop's; given JSON, they let the browser follow the link. */
const isForWindow = ({ method, headers }: Request): boolean =>
  method === 'GET' &&
  headers.get('sec-fetch-mode') !== 'cors' &&
  (headers.get('accept') ?? '').includes('text/html')

/**
 * @param reason the mistake for a developer to fix, in English; null if there is none, and in production.
 * @param answer the refusal as JSON; its status and headers such as `Retry-After` are kept.
 */
function refusalPage(c: Ctx, refusal: Refusal, reason: string | null, answer: Response): Response {
  const { lang, dir, words } = speak([c.req.query('locale') ?? '', ...preferredBy(c.req.raw)])
  const word = wordOf(refusal)
  // That the link does not work any more is the shopper's sentence for several mistakes, such as a misspelt path.
  const detail = reason ?? (word === 'ended' && isDevelopment() ? refusal.message : null)
  const signIn = signInOf(refusal, c.req.url)
  const opening = c.get('opening')
  const isLaunch = pathOf(c.req.path) === '/launch'
  // The page links back to the first one.
  const shops = webOrigins(placeIfKnown(c)?.shops ?? [])
  // An expired ticket is replaced by its page.
  const isOver = refusal.code === 'conflict' || (word === 'ended' && opening?.retry !== 'host')
  const hosts = opening ? [...new Set([opening.hostOrigin, ...shops])] : shops
  const page = pageAnswer({
    status: answer.status,
    ...(word ? { lang, dir } : { lang: '', dir: 'auto' }),
    title: hostOf(shops[0]),
    hosts: isLaunch ? webOrigins(hosts) : [],
    body: `<main class="still">
<h1>${escapeHtml(word ? words[word] : refusal.message)}</h1>
${detail === null ? '' : `<p lang="en" dir="ltr">${escapeHtml(detail)}</p>`}
${isOver || signIn ? '' : tryAgain(c, isLaunch, words.tryAgain, lang)}
${linkTo(signIn ?? shops[0])}
</main>`,
    script: opening && {
      code: refusalScript,
      data: { purchaseId: opening.purchaseId, hosts: [opening.hostOrigin] },
    },
  })
  for (const [name, value] of answer.headers) if (!page.headers.has(name)) page.headers.set(name, value)
  for (const cookie of refusal.instead?.headers.getSetCookie() ?? [])
    page.headers.append('set-cookie', cookie)
  return page
}

/** A sign-in page must not be framed: it opens in the shopper's whole tab. */
function signInOf({ instead }: Refusal, asked: string): string | undefined {
  const url = URL.parse(instead?.headers.get('location') ?? '', asked)
  return instead && url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** A link's address can be opened again. A ticket's cannot: its page requests a new one. */
function tryAgain(c: Ctx, isLaunch: boolean, text: string, lang: string): string {
  const label = `lang="${lang}">${escapeHtml(text)}`
  const opening = c.get('opening')
  if (opening?.retry === 'host') return `<button class="main" id="again" hidden ${label}</button>`
  const { search, searchParams } = new URL(c.req.url)
  // A click here comes from the shop's own origin, and would begin a purchase by an id that another site may have chosen.
  const isUnproven = searchParams.has('purchase') && !opening
  if (!isLaunch || searchParams.has('ticket') || isUnproven) return ''
  return `<a class="main" href="${escapeHtml(search || '?')}" rel="nofollow" ${label}</a>`
}

/** `refused` makes the page request `GET /purchases/:id` now, and `retry` create a new purchase: it trusts nothing else in them. */
export const refusalScript: string = scriptOf(`
  tell({ type: 'refused' });
  const again = document.getElementById('again');
  if (again && host) {
    again.hidden = false;
    again.onclick = () => tell({ type: 'retry' });
  }
`)

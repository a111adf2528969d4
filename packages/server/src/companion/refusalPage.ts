/** A refusal for somebody who followed a link: a sentence and the way back, where a script would get JSON. */
import { preferredBy, speak } from '../language.ts'
import { type Refusal, wordOf } from './answer.ts'
import type { Opening } from './context.ts'
import { escapeHtml, hostOf, linkTo, pageAnswer } from './page.ts'
import { pathOf, webOrigins } from './place.ts'

/** Whether the answer is for a person's window. */
export const isForWindow = (request: Request): boolean =>
  request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html')

interface Refused {
  /** The refusal as JSON; its status and headers such as `Retry-After` are kept. */
  answer: Response
  refusal: Refusal
  /** What a developer can fix, in English; null in production. */
  reason: string | null
  request: Request
  /** Origins of the shop's pages, which may frame what a link leads to; the first is the way back. */
  shops: readonly string[]
  /** Undefined for what is no link to the widget, and for one that nobody of the shop's has made. */
  opening: Opening | undefined
}

export function refusalPage({ answer, refusal, reason, request, shops, opening }: Refused): Response {
  const { lang, dir, words } = speak([localeOf(request), ...preferredBy(request)])
  const word = wordOf(refusal)
  const signIn = signInOf(refusal, request)
  // A ticket that has ended is begun anew by its page.
  const isOver = refusal.code === 'conflict' || (word === 'ended' && opening?.retry !== 'host')
  const hosts = opening ? [...new Set([opening.hostOrigin, ...shops])] : shops
  const page = pageAnswer({
    status: answer.status,
    ...(word ? { lang, dir } : { lang: '', dir: 'auto' }),
    title: (shops[0] && hostOf(shops[0])) || '…',
    hosts: pathOf(new URL(request.url).pathname) === '/launch' ? webOrigins(hosts) : [],
    body: (nonce) => `<main class="still">
<h1>${escapeHtml(word ? words[word] : refusal.message)}</h1>
${reason === null ? '' : `<p lang="en" dir="ltr">${escapeHtml(reason)}</p>`}
${isOver || signIn ? '' : tryAgain(request, opening, words.tryAgain, lang)}
${linkTo(signIn ?? shops[0])}
</main>
${opening ? toldTo(opening, nonce) : ''}`,
  })
  for (const [name, value] of answer.headers) if (!page.headers.has(name)) page.headers.set(name, value)
  for (const cookie of refusal.instead?.headers.getSetCookie() ?? [])
    page.headers.append('set-cookie', cookie)
  return page
}

/** A sign-in page is not for a frame: the shopper's whole tab goes there. */
function signInOf({ instead }: Refusal, request: Request): string | undefined {
  const url = URL.parse(instead?.headers.get('location') ?? '', request.url)
  return instead && url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** A link's address can be followed again. A ticket's cannot: its page begins again. */
function tryAgain(request: Request, opening: Opening | undefined, text: string, lang: string): string {
  const label = `lang="${lang}">${escapeHtml(text)}`
  if (opening?.retry === 'host') return `<button class="main" id="again" hidden ${label}</button>`
  const { pathname, search } = new URL(request.url)
  return request.method === 'GET' && pathOf(pathname) === '/launch' && !search.includes('ticket=')
    ? `<a class="main" href="${escapeHtml(search || '?')}" rel="nofollow" ${label}</a>`
    : ''
}

function toldTo({ purchaseId, hostOrigin }: Opening, nonce: string): string {
  const data = JSON.stringify({ purchaseId, hostOrigin }).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="purchase">${data}</script>
<script nonce="${nonce}">${refusalScript}</script>`
}

/** The language that a link asks for. */
const localeOf = ({ url }: Request): string => URL.parse(url)?.searchParams.get('locale') ?? ''

/** `refused` makes the page ask `GET /purchases/:id` now, and `retry` begin anew: nothing else of them is believed. */
export const refusalScript = `
'use strict';
(() => {
  const { purchaseId, hostOrigin } = JSON.parse(document.getElementById('purchase').textContent);
  const source = 'purchase-widget';
  const host = window.parent === window ? window.opener : window.parent;
  const tell = (type) => {
    const message = { source, type, purchaseId };
    try {
      new BroadcastChannel(source + ':' + purchaseId).postMessage(message);
    } catch {}
    try {
      host.postMessage(message, hostOrigin);
    } catch {}
  };
  tell('refused');
  const again = document.getElementById('again');
  if (again && host) {
    again.hidden = false;
    again.onclick = () => tell('retry');
  }
})();
`

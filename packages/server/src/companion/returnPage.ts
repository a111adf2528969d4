/** The return page: tells the page that shows the widget, and goes on to the merchant's. */
import type { Spoken } from '../language.ts'
import type { Outcome } from '../purchase/carrier.ts'
import { escapeHtml, hostOf, linkTo, pageAnswer } from './page.ts'

/** What the script is given. */
export interface ReturnData {
  purchaseId: string
  outcome: Outcome
  /** Origins that a page may have which is told. */
  hosts: readonly string[]
  /** Where the shopper goes on to. */
  returnUrl: string | null
  /** Nobody waits beside this tab: go on without waiting for an answer. */
  atOnce: boolean
}

/**
 * @param address of this page, as the service is given it, for the doctor: null when the companion does not know its own.
 */
export function returnPage(data: ReturnData, { lang, dir, words }: Spoken, address: string | null): Response {
  const { returnUrl, hosts } = data
  const target = returnUrl ?? hosts[0]
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return pageAnswer({
    status: 200,
    lang,
    dir,
    title: (target && hostOf(target)) || '…',
    head: [
      address === null ? '' : `<link rel="canonical" href="${escapeHtml(address)}">`,
      returnUrl
        ? `<noscript><meta http-equiv="refresh" content="0;url=${escapeHtml(returnUrl)}"></noscript>`
        : '',
    ].join(''),
    hosts,
    body: (nonce) => `<main>
<span class="ring" aria-hidden="true"></span>
<h1>${escapeHtml(words.returning)}</h1>
${linkTo(target)}
</main>
<script type="application/json" id="purchase">${json}</script>
<script nonce="${nonce}">${returnScript}</script>`,
  })
}

/**
 * Tells parent or opener, by exact origin, and the channel of this purchase; then does as it is told, or after a second goes on by itself.
 * The loader states its messages in src/outcome/channel.ts; e2e holds the two together.
 */
export const returnScript = `
'use strict';
(() => {
  const { purchaseId, outcome, hosts, returnUrl, atOnce } = JSON.parse(document.getElementById('purchase').textContent);
  const source = 'purchase-widget';
  const message = { source, type: 'returned', purchaseId, outcome, returnUrl };
  const isTop = window.parent === window;
  const host = isTop ? window.opener : window.parent;
  let ended = false;
  const rest = () => document.body.classList.add('still');
  const end = (close) => {
    if (ended) return;
    ended = true;
    if (close) window.close();
    else if (returnUrl) return location.replace(returnUrl);
    rest();
  };
  const hear = (data) => {
    if (data && data.source === source && data.type === 'heard' && data.purchaseId === purchaseId) end(data.close === true);
  };
  window.addEventListener('message', (event) => {
    if (host && event.source === host && hosts.includes(event.origin)) hear(event.data);
  });
  try {
    const channel = new BroadcastChannel(source + ':' + purchaseId);
    channel.onmessage = (event) => hear(event.data);
    channel.postMessage(message);
  } catch {}
  for (const origin of host ? hosts : []) {
    try {
      host.postMessage(message, origin);
    } catch {}
  }
  if (atOnce && isTop) end(false);
  else setTimeout(end, 1000, false);
})();
`

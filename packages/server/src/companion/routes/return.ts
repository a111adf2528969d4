/**
 * `GET /return/:id` and `/return/:id/failed`: the service sends the shopper here. The page notifies the page that shows the widget, and continues
 * to the merchant's. It needs no session, ignores anything appended to the address, and answers even when the store is unavailable.
 */

import { preferredBy, speak } from '../../language.ts'
import { merchantReturn, readReturn, returnAddress } from '../../purchase/carrier.ts'
import { unlessThrows } from '../../unknown.ts'
import { type Handler, placeIfKnown } from '../context.ts'
import { escapeHtml, hostOf, linkTo, pageAnswer, scriptOf } from '../page.ts'
import { webOrigins } from '../place.ts'

export const returned: Handler = async (c) => {
  const { id, outcome } = readReturn(c.req.path) ?? { id: '', outcome: 'success' as const }
  // A companion that is stopping, or lacks a setting, answers a returning shopper, too.
  const services = unlessThrows(c.get('services'))
  const record = await services?.findReturned(id)
  const purchase = record?.purchase
  // A shopper who returns has paid or was declined: this read needs no webhook and no script of the merchant's page.
  if (services && record) c.get('keepAwake')(services.readReturned(record))
  const place = placeIfKnown(c)
  const hosts = webOrigins(purchase?.hostOrigin ? [purchase.hostOrigin] : (place?.shops ?? []))
  // The address to which the shopper continues.
  const returnUrl = purchase ? merchantReturn(purchase, outcome) : null
  const target = returnUrl ?? hosts[0]
  const { lang, dir, words } = speak([purchase?.locale ?? '', ...preferredBy(c.req.raw)])
  const data = {
    purchaseId: id,
    outcome,
    hosts,
    returnUrl,
    // No page waits beside this tab: it continues without waiting for an answer.
    atOnce: purchase?.redirectPage === 'self' && ['redirect', 'launch'].includes(purchase.surface),
  }
  return pageAnswer({
    status: 200,
    lang,
    dir,
    title: hostOf(target),
    head: [
      // For the doctor: the address as the service received it.
      place && `<link rel="canonical" href="${escapeHtml(returnAddress(place.url, id, outcome))}">`,
      returnUrl &&
        `<noscript><meta http-equiv="refresh" content="0;url=${escapeHtml(returnUrl)}"></noscript>`,
    ]
      .filter(Boolean)
      .join(''),
    hosts,
    body: `<main>
<span class="ring" aria-hidden="true"></span>
<h1>${escapeHtml(words.returning)}</h1>
${linkTo(target)}
</main>`,
    script: { code: returnScript, data },
  })
}

/**
 * Notifies parent or opener, by exact origin, and the channel of this purchase; then follows the answer, or after a second continues by itself.
 * The loader declares its messages in src/outcome/channel.ts; e2e tests the two together.
 */
export const returnScript: string = scriptOf(`
  const { purchaseId, outcome, hosts, returnUrl, atOnce } = data;
  let ended = false;
  const end = (close) => {
    if (ended) return;
    ended = true;
    if (close) window.close();
    else if (returnUrl) return location.replace(returnUrl);
    document.body.classList.add('still');
  };
  const receive = (answer) => {
    if (answer && answer.source === source && answer.type === 'heard' && answer.purchaseId === purchaseId) end(answer.close === true);
  };
  window.addEventListener('message', (event) => {
    if (host && event.source === host && hosts.includes(event.origin)) receive(event.data);
  });
  if (channel) channel.onmessage = (event) => receive(event.data);
  tell({ type: 'returned', outcome, returnUrl });
  if (atOnce && isTop) end(false);
  else setTimeout(end, 1000, false);
`)

/** The return page's script, as text: it runs in the browser, under a nonce, and is the same for every purchase. */

/**
 * Tells parent or opener, by exact origin, and the channel of this purchase; then does as it is told, or after a second goes on by itself.
 * Its messages are `ReturnedMessage` and `HeardMessage` of protocol.ts.
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

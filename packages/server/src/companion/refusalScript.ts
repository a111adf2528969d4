/** The script of a refusal's page, as text: it tells the page that waits for the purchase, and asks it to begin again. */

/** Its messages are `RefusedMessage` and `RetryMessage` of protocol.ts. */
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

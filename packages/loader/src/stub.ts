/**
 * The stub: a few bytes, inline before the script tag. Clicks on buttons, and `PurchaseWidget.ready(callback)`, wait in `q` until
 * the file has loaded, which clears `q`.
 */
const page = window as unknown as {
  PurchaseWidget: { q?: unknown[] | undefined; ready(callback: unknown): void }
}
page.PurchaseWidget = { q: [], ready: (callback) => page.PurchaseWidget.q?.push(callback) }

addEventListener('click', (event) => {
  const button = (event.target as Element).closest?.('[data-purchase-widget]')
  if (button && page.PurchaseWidget.q) {
    event.preventDefault()
    page.PurchaseWidget.q.push(button)
  }
})

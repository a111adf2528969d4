/**
 * The stub: a few bytes, inline before the script tag. Clicks on buttons, and `PurchaseWidget.ready(callback)`, wait in `q` until
 * the file has loaded.
 */
const q: unknown[] = []
Object.assign(window, { PurchaseWidget: { q, ready: (callback: () => void) => q.push(callback) } })

addEventListener('click', (event) => {
  const button = (event.target as Element).closest('[data-purchase-widget]')
  if (button && q) {
    event.preventDefault()
    q.push(button)
  }
})

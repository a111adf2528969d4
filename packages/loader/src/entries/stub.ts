/**
 * The stub: a few bytes, inline before the script tag. Clicks on links and buttons, and `PurchaseWidget.ready(callback)`, wait in `q` until
 * the file has loaded, which clears `q`. A link whose file fails, or is not there 3 seconds after the click, is followed.
 */
const shared: { q?: unknown[] | undefined; ready(callback: unknown): void } = {
  q: [],
  ready: (callback) => shared.q?.push(callback),
}
let pressed: HTMLAnchorElement | undefined

Object.assign(window, { PurchaseWidget: shared })

const follow = (): void => {
  if (shared.q && pressed?.href) location.href = pressed.href
}

addEventListener('click', (event) => {
  const found = (event.target as Element).closest?.<HTMLAnchorElement>('[data-purchase-widget]')
  if (!found || !shared.q || found.target || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  pressed = found
  shared.q.push(found)
  setTimeout(follow, 3000)
})

addEventListener(
  'error',
  ({ target }) => {
    if (!/purchase-widget/.test((target as HTMLScriptElement).src)) return
    follow()
    // From now on links are links.
    shared.q = undefined
  },
  true,
)

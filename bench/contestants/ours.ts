/** The loader, in each of its ways to start. Each is the body of a module script on a page with a `#buy` button. */

type Mode = 'iframe' | 'modal' | 'popup'

const withPreload = (preload: 'none' | 'intent' | 'eager', mode: Mode): string => `
  import { createPurchaseWidget } from '/loader/index.js'
  const buy = document.querySelector('#buy')
  const widget = createPurchaseWidget({ companion: '/api', pageToken: true, mode: '${mode}', preload: '${preload}'${mode === 'iframe' ? ", container: '#slot'" : ''} })
  buy.addEventListener('click', () => { widget.open() })
  ${preload === 'intent' ? "buy.addEventListener('pointerenter', () => { widget.preload() })" : ''}
`

/** By the companion's link: the page fetches nothing. */
const byLink = (mode: Mode): string => `
  import { createPurchaseWidget } from '/loader/index.js'
  const widget = createPurchaseWidget({ companion: '/api', widgetOrigin, mode: '${mode}', params: { product_id: 'gold-100' }${mode === 'iframe' ? ", container: '#slot'" : ''} })
  document.querySelector('#buy').addEventListener('click', () => { widget.open() })
`

export const ours = {
  byLink,
  onClick: (mode: Mode) => withPreload('none', mode),
  onIntent: (mode: Mode) => withPreload('intent', mode),
  eager: (mode: Mode) => withPreload('eager', mode),
} as const

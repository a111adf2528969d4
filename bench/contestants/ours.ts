/** The loader, in each of its three ways to start. Each is the body of a module script on a page with a `#buy` button. */

const withPreload = (preload: 'none' | 'intent' | 'eager'): string => `
  import { createPurchaseWidget } from '/loader/index.js'
  const buy = document.querySelector('#buy')
  const widget = createPurchaseWidget({ companion: '/api', mode: 'modal', preload: '${preload}' })
  buy.addEventListener('click', () => { widget.open() })
  ${preload === 'intent' ? "buy.addEventListener('pointerenter', () => { widget.preload() })" : ''}
`

export const ours = {
  onClick: withPreload('none'),
  onIntent: withPreload('intent'),
  eager: withPreload('eager'),

  cycle: `
    import { createPurchaseWidget } from '/loader/index.js'
    window.cycle = async () => {
      const widget = createPurchaseWidget({ companion: '/api', container: 'body' })
      const loaded = new Promise((resolve) => widget.on('load', resolve))
      const result = widget.open()
      await loaded
      widget.close()
      await result
      widget.destroy()
    }`,
} as const

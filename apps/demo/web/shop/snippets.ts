/** The code that does what the page's Buy button does: exactly the chosen options, nothing else. */
import type { Choices } from '../purchase/choices.ts'

interface Chosen extends Choices {
  productId: string
  name: string
}

export function reactSnippet({ mode, redirectPage, token, productId, name }: Chosen): string {
  const framed = mode === 'iframe'
  const props = [
    `companion="/api/purchase-widget"`,
    ...(token === 'server' ? ['launch'] : []),
    ...(framed ? [] : [`mode="${mode}"`]),
    `redirectPage="${redirectPage}"`,
    ...(framed ? [] : [`preload="intent"`]),
    `params={{ product_id: '${productId}' }}`,
    `onResult={(result) => console.log(result.status)}`,
  ].map((prop) => `    ${prop}`)
  const component = framed ? 'PurchaseWidget' : 'PurchaseButton'
  return [
    `import { ${component} } from '@purchase-widget/react'`,
    '',
    'export const Buy = () => (',
    `  <${component}`,
    ...props,
    ...(framed ? ['  />'] : ['  >', `    Buy ${name}`, '  </PurchaseButton>']),
    ')',
  ].join('\n')
}

export function htmlSnippet({ mode, redirectPage, token, productId, name }: Chosen): string {
  const attributes = [
    `href="/api/purchase-widget/launch?product_id=${productId}"`,
    'data-purchase-widget',
    `data-mode="${mode}"`,
    ...(mode === 'iframe' ? ['data-container="#widget"'] : []),
    `data-redirect-page="${redirectPage}"`,
    ...(token === 'server' ? ['data-launch'] : []),
  ].map((attribute) => `  ${attribute}`)
  return [
    '<script async',
    '  src="/api/purchase-widget/purchase-widget.js"></script>',
    '',
    ...(mode === 'iframe' ? ['<div id="widget"></div>'] : []),
    '<a',
    ...attributes,
    `>Buy ${name}</a>`,
  ].join('\n')
}

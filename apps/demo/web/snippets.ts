/** The code that does what the page's Buy button does: exactly the chosen options, nothing else. */
import type { Choices } from './choices.ts'

export interface Sold extends Choices {
  productId: string
  name: string
  /** The page fetches a token and builds the address itself. */
  pageToken?: boolean
}

export function reactSnippet({ mode, redirectPage, productId, name, pageToken }: Sold): string {
  const framed = mode === 'iframe'
  const component = framed ? 'PurchaseWidget' : 'PurchaseButton'
  const props = [
    `companion="/api/purchase-widget"`,
    ...(pageToken ? ['pageToken'] : []),
    ...(framed ? [] : [`mode="${mode}"`]),
    `redirectPage="${redirectPage}"`,
    `params={{ product_id: '${productId}' }}`,
    ...(pageToken ? ['onReturn={(event) => event.preventDefault()}'] : []),
    `onResult={(result) => console.log(result.status)}`,
  ].map((prop) => `    ${prop}`)
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

export function scriptTagSnippet({ mode, redirectPage, productId, name }: Sold): string {
  const attributes = [
    `data-mode="${mode}"`,
    ...(mode === 'iframe' ? ['data-container="#widget"'] : []),
    ...(redirectPage === 'new' ? ['data-redirect-page="new"'] : []),
  ]
  return [
    '<script async src="/api/purchase-widget/purchase-widget.js"></script>',
    '',
    ...(mode === 'iframe' ? ['<div id="widget"></div>'] : []),
    `<a href="/api/purchase-widget/launch?product_id=${productId}"`,
    `   data-purchase-widget ${attributes.join(' ')}>`,
    `  Buy ${name}`,
    '</a>',
  ].join('\n')
}

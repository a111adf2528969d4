/** The code that does what the page's Buy button does: exactly the chosen options, nothing else. */
import type { Choices } from '../purchase/choices.ts'

export interface Chosen extends Choices {
  productId: string
  name: string
}

export function reactSnippet({ mode, redirectPage, token, locale, productId, name }: Chosen): string {
  const framed = mode === 'iframe'
  const translated = locale !== 'en'
  const props = [
    `companion="/api/purchase-widget"`,
    ...(token === 'server' ? [] : ['pageToken']),
    ...(framed ? [] : [`mode="${mode}"`]),
    `redirectPage="${redirectPage}"`,
    ...(translated ? [`locale="${locale}"`, 'strings={strings}'] : []),
    ...(framed ? [] : [`preload="intent"`]),
    `params={{ product_id: '${productId}' }}`,
    `onResult={(result) => console.log(result.status)}`,
  ].map((prop) => `    ${prop}`)
  const component = framed ? 'PurchaseWidget' : 'PurchaseButton'
  return [
    ...(translated ? [`import { strings } from '@purchase-widget/loader/locales/${locale}'`] : []),
    `import { ${component} } from '@purchase-widget/react'`,
    '',
    'export const Buy = () => (',
    `  <${component}`,
    ...props,
    ...(framed ? ['  />'] : ['  >', `    Buy ${name}`, '  </PurchaseButton>']),
    ')',
  ].join('\n')
}

const folder = '/api/purchase-widget'

export function htmlSnippet({ mode, redirectPage, token, locale, productId, name }: Chosen): string {
  const attributes = [
    'data-purchase-widget',
    `data-mode="${mode}"`,
    ...(mode === 'iframe' ? ['data-container="#widget"'] : []),
    ...(redirectPage === 'new' ? ['data-redirect-page="new"'] : []),
    ...(locale === 'en' ? [] : [`data-locale="${locale}"`]),
  ]
  return [
    `<script async src="${folder}/purchase-widget.js"${token === 'server' ? '' : ' data-page-token'}></script>`,
    ...(locale === 'en' ? [] : [`<script async src="${folder}/purchase-widget.${locale}.js"></script>`]),
    '',
    ...(mode === 'iframe' ? ['<div id="widget"></div>'] : []),
    `<a href="${folder}/launch?product_id=${productId}"`,
    `   ${attributes.join(' ')}>`,
    `  Buy ${name}`,
    '</a>',
  ].join('\n')
}

/** What a mobile app does: it opens one address, and knows the way back when it sees it. */
export const webviewSnippet = (productId: string, origin: string): string =>
  [
    `import { parseReturnUrl } from '@purchase-widget/loader/url'`,
    '',
    `const companion = '${origin}${folder}'`,
    '// Open this in the webview.',
    `export const launchUrl = \`\${companion}/launch?product_id=${productId}\``,
    '',
    '// In its navigation delegate: close it, and ask your server.',
    'export const returnedFrom = (url: string) =>',
    '  parseReturnUrl(url, { companion })?.purchaseId',
  ].join('\n')

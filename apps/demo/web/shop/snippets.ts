import type { Mode, RedirectPage } from '@purchase-widget/loader'

/** The code that does what the page's Buy button does: exactly the chosen options, nothing else. */

interface Chosen {
  mode: Mode
  redirectPage: RedirectPage
  /** The widget's parameters for the chosen product. */
  params: Record<string, string>
  name: string
}

export function reactSnippet({ mode, redirectPage, params, name }: Chosen): string {
  const props = [
    `companion="/api/purchase-widget"`,
    ...(mode === 'iframe' ? [] : [`mode="${mode}"`]),
    `redirectPage="${redirectPage}"`,
    'params={{',
    ...entries(params).map(([key, value]) => `  ${key}: '${value}',`),
    '}}',
    ...(mode === 'redirect' ? [] : [`onSuccess={({ order }) => console.log('sold', order?.id)}`]),
  ].map((prop) => `    ${prop}`)
  const element =
    mode === 'iframe'
      ? ['  <PurchaseWidget', ...props, '  />']
      : ['  <PurchaseButton', ...props, '  >', `    Buy ${name}`, '  </PurchaseButton>']
  const component = mode === 'iframe' ? 'PurchaseWidget' : 'PurchaseButton'
  return [
    `import { ${component} } from '@purchase-widget/react'`,
    '',
    'export const Buy = () => (',
    ...element,
    ')',
  ].join('\n')
}

export function htmlSnippet({ mode, redirectPage, params, name }: Chosen): string {
  const attributes = [
    'data-purchase-widget',
    `data-mode="${mode}"`,
    ...(mode === 'iframe' ? ['data-container="#widget"'] : []),
    `data-redirect-page="${redirectPage}"`,
    ...entries(params).map(([key, value]) => `data-param-${key}="${value}"`),
  ].map((attribute) => `  ${attribute}`)
  return [
    '<script async src="/purchase-widget.js"',
    '  data-companion="/api/purchase-widget"></script>',
    '',
    ...(mode === 'iframe' ? ['<div id="widget"></div>'] : []),
    '<button',
    ...attributes,
    `>Buy ${name}</button>`,
  ].join('\n')
}

export function serverSnippet(): string {
  return [
    `import { clientFromEnv, createCompanion, createTokenLease } from '@purchase-widget/server'`,
    `import { redisStore } from '@purchase-widget/server/redis'`,
    '',
    'const client = clientFromEnv(process.env)',
    'const store = redisStore(redis)',
    '',
    'export const companion = createCompanion({',
    '  client,',
    '  store,',
    '  tokens: createTokenLease({ client, store }),',
    '  authorize: (request) => shopperOf(request),',
    '  // Unique in your database: after a crash an order may be told once more.',
    '  onOrder: ({ id, type }) => deliverOnce(id, type),',
    '})',
    '',
    "app.all('/api/purchase-widget/*', (c) => companion.fetch(c.req.raw))",
  ].join('\n')
}

const entries = Object.entries

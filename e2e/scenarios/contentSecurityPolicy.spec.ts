// Promise: surface/csp
/**
 * A whole purchase under each policy that we publish, in every mode, without a violation: the shortest for pages with their own
 * script files, the guide's, the doctor's, and helmet with the guide's additions. Each is applied verbatim to the page with the button
 * and to the page where the purchase ends; helmet also to the companion's own responses. With `EVIDENCE=full` every combination runs in
 * every engine.
 */
import { full, recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import type { Merchant, Page } from '../fixtures/merchant.ts'
import { type Combination, product } from '../fixtures/pairwise.ts'
import { policies, type SetHeaders, withScriptFiles } from '../fixtures/policies.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { cards, leave, type Mode, pay, widgetIn } from './widgetPage.ts'

const factors = {
  source: ['shortest', 'guide', 'doctor', 'helmet'],
  mode: ['iframe', 'modal', 'popup', 'redirect'],
  redirectPage: ['self', 'new'],
} as const

type Row = Combination<typeof factors>

/** A frame and a window for the guide's policy, in every engine; the doctor's is equivalent, and the other two are laxer. */
const some: readonly Row[] = [
  { source: 'guide', mode: 'modal', redirectPage: 'self' },
  { source: 'guide', mode: 'popup', redirectPage: 'new' },
  { source: 'doctor', mode: 'iframe', redirectPage: 'new' },
  { source: 'shortest', mode: 'redirect', redirectPage: 'self' },
  { source: 'helmet', mode: 'popup', redirectPage: 'self' },
]

for (const row of full ? product(factors) : some) {
  const { source, mode, redirectPage } = row
  test(`${mode}, ${redirectPage}: a purchase under the policy of ${source} violates nothing`, {
    tag: source === 'guide' ? [] : oneEngine,
  }, async ({ shopper, merchant, service }) => {
    serve(merchant, row, await policies[source](service))

    const host = await shopper.visit(merchant.url)
    await expect.poll(() => merchant.reports()).toContain('page ready')
    await host.page.click({ css: '#buy' })
    const widget = await widgetIn(shopper, host, mode, redirectPage)
    await pay(widget, cards.success)
    await leave(shopper, widget, { declined: false })

    const ends = redirectPage === 'self' ? ['/return.html', 'return page says'] : ['/', 'result']
    await expect.poll(async () => new URL(await host.url()).pathname).toBe(ends[0])
    const [order] = await service.orders()
    await expect.poll(() => merchant.reports()).toContain(`${ends[1]} success verified ${order?.id}`)
    expect(violations(merchant)).toEqual([])
    recordFigure(
      `policy of ${source}, ${mode}, ${redirectPage}, ${shopper.engine}`,
      '0 violations in a whole purchase',
    )
  })
}

test('a frame that the page does not allow is reported as a violation, and the purchase succeeds', {
  tag: oneEngine,
}, async ({ shopper, merchant, service }) => {
  const setHeaders = await policies.guide(service)
  // With the token in the page, the policy allows the widget itself but not the return page.
  serve(
    merchant,
    { source: 'guide', mode: 'modal', redirectPage: 'self', pageToken: true },
    (request, response) => {
      setHeaders(request, response)
      const policy = String(response.getHeader('content-security-policy'))
      response.setHeader('content-security-policy', policy.replace("frame-src 'self' ", 'frame-src '))
    },
  )
  const host = await shopper.visit(merchant.url)
  await host.page.click({ css: '#buy' })
  const widget = host.frame('iframe')
  await pay(widget, cards.success)
  await expect.poll(() => violations(merchant)).not.toEqual([])
  // The purchase still succeeds: the violation makes the page query the server.
  await expect.poll(async () => new URL(await host.url()).pathname).toBe('/return.html')
})

function serve(
  merchant: Merchant,
  { source, mode, redirectPage, pageToken = false }: Row & { pageToken?: boolean },
  setHeaders: SetHeaders,
): void {
  const isScriptTag = source === 'shortest' || source === 'helmet'
  const page = isScriptTag ? scriptTagPage(mode, redirectPage) : loaderPage(mode, redirectPage, pageToken)
  merchant.page('/', withScriptFiles(merchant, 'shop', page))
  merchant.page('/return.html', withScriptFiles(merchant, 'return', returnPage))
  const isPage = (path: string): boolean => path === '/' || path.startsWith('/return.html')
  merchant.intercept((request, response) => {
    // helmet is middleware and covers every response; the other headers belong to pages.
    if (source === 'helmet' || isPage(`${request.url}`)) setHeaders(request, response)
    return false
  })
}

const noteViolations = `
  document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => note('violation ' + violatedDirective))`

function loaderPage(mode: Mode, redirectPage: Row['redirectPage'], pageToken: boolean): Page {
  const container = mode === 'iframe' ? `container: '#slot',` : ''
  const options = `{ companion: '/companion', mode: '${mode}', ${container} redirectPage: '${redirectPage}', pageToken: ${pageToken} }`
  return hostPage({ options, before: noteViolations })
}

/** As in docs/go-live.md. */
function scriptTagPage(mode: Mode, redirectPage: Row['redirectPage']): Page {
  const { body } = hostPage({ options: '{}' })
  const notes = /<script nonce="host">(.*?)<\/script>/s.exec(body)?.[1]
  return {
    body: `
      <head><title>Shop</title><meta name="viewport" content="width=device-width"></head>
      <body>
      <h1>Shop</h1>
      <a href="/companion/launch?product_id=gold-100" id="buy" data-purchase-widget data-mode="${mode}"
        data-redirect-page="${redirectPage}" ${mode === 'iframe' ? 'data-container="#slot"' : ''}>Buy</a>
      <div id="slot"></div>
      <script nonce="host">
        ${notes}
        ${noteViolations}
        document.addEventListener('purchase-widget-result', ({ detail }) => noteResult(detail))
        addEventListener('load', () => note('page ready'))
      </script>
      <script async src="/companion/purchase-widget.js"></script>
      </body>`,
  }
}

function violations(merchant: Merchant): string[] {
  const posted = merchant.reports().filter((entry) => entry.startsWith('violation'))
  const reported = merchant.requests().filter(({ url }) => url === '/violation')
  return [...posted, ...reported.map(({ body }) => body)]
}

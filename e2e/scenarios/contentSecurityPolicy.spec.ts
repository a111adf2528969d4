/** A whole purchase under the strictest policy that a merchant can have, in every mode, without one violation. */
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'
import { cards, leave, type Mode, pay, widgetIn } from './widgetPage.ts'

const policy = (widgetUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'nonce-host'",
    "style-src 'nonce-host'",
    `frame-src ${widgetUrl} 'self'`,
    "connect-src 'self'",
    // For the icon that Firefox asks for.
    "img-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    'report-uri /violation',
  ].join('; ')

const noteViolations = `
  document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => note('violation ' + violatedDirective))`

const modes: readonly Mode[] = ['iframe', 'modal', 'popup', 'redirect']
for (const mode of modes) {
  test(`${mode}: a purchase violates nothing`, async ({ shopper, merchant, service }) => {
    const headers = { 'content-security-policy': policy(service.widgetUrl) }
    const container = mode === 'iframe' ? `container: '#slot',` : ''
    const options = `{ companion: '/companion', mode: '${mode}', ${container} redirectPage: 'self' }`
    merchant.page('/', hostPage({ options, headers, before: noteViolations }))
    merchant.page('/return.html', { ...returnPage, headers })

    const host = await shopper.visit(merchant.url)
    await host.page.click({ button: 'Buy' })
    const widget = await widgetIn(shopper, host, mode, 'self')
    await pay(widget, cards.success)
    await leave(shopper, widget, { declined: false })
    await expect.poll(async () => new URL(await host.url()).pathname).toBe('/return.html')
    const [order] = await service.orders()
    await expect.poll(() => merchant.reports()).toContain(`return page says success verified ${order?.id}`)

    const violations = [
      ...merchant.reports().filter((entry) => entry.startsWith('violation')),
      ...merchant
        .requests()
        .filter(({ url }) => url === '/violation')
        .map(({ body }) => body),
    ]
    expect(violations).toEqual([])
    recordFigure(
      `nonce-only policy with Trusted Types 'none', ${mode}, ${shopper.engine}`,
      '0 violations in a whole purchase',
    )
  })
}

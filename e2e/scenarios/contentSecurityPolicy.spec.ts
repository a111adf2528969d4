/**
 * A whole purchase under the policies that we print, in every mode, without one violation: what the doctor says, and what the guide
 * says. Both are applied as they stand, to the page with the button and to the return page.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import type { Service } from '../fixtures/service.ts'
import { expect, test } from '../fixtures/test.ts'
import { cards, leave, type Mode, pay, widgetIn } from './widgetPage.ts'

interface Policies {
  page: Record<string, string>
  returnPage: Record<string, string>
}

/** What Firefox asks for by itself, and where violations are reported. */
const besides = "; img-src 'self'; report-uri /violation"

/** The guide's line, with the names of this page: the strictest that a merchant can have, Trusted Types included. */
function fromGuide({ widgetUrl }: Service): Policies {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/script-tag.md'), 'utf8')
  const named = (header: string): string => {
    const line = new RegExp(`^${header}: (.*)$`, 'm').exec(guide)?.[1]
    return `${line}`.replaceAll('nonce-…', 'nonce-host').replaceAll('https://widget.example', widgetUrl)
  }
  const policy = named('Content-Security-Policy') + besides
  return {
    page: { 'content-security-policy': policy, 'permissions-policy': named('Permissions-Policy') },
    returnPage: { 'content-security-policy': `${policy}; frame-ancestors 'self'` },
  }
}

/** The doctor's lines, for a page that forbids everything else but its own scripts and styles. */
async function fromDoctor(service: Service): Promise<Policies> {
  const { 'Content-Security-Policy': lines, 'Permissions-Policy': permissions } = await service.pageNeeds()
  const policy = `default-src 'none'; script-src 'nonce-host'; style-src 'nonce-host'; ${lines}${besides}`
  return {
    page: { 'content-security-policy': policy, 'permissions-policy': permissions },
    returnPage: { 'content-security-policy': `${policy}; frame-ancestors 'self'` },
  }
}

const noteViolations = `
  document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => note('violation ' + violatedDirective))`

const sources = { 'the guide': fromGuide, 'the doctor': fromDoctor }
const modes: readonly Mode[] = ['iframe', 'modal', 'popup', 'redirect']
for (const [source, read] of Object.entries(sources)) {
  for (const mode of modes) {
    test(`${mode}: a purchase under the policy of ${source} violates nothing`, async ({
      shopper,
      merchant,
      service,
    }) => {
      const policies = await read(service)
      const container = mode === 'iframe' ? `container: '#slot',` : ''
      const options = `{ companion: '/companion', mode: '${mode}', ${container} redirectPage: 'self' }`
      merchant.page('/', hostPage({ options, headers: policies.page, before: noteViolations }))
      merchant.page('/return.html', { ...returnPage, headers: policies.returnPage })

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
      recordFigure(`policy of ${source}, ${mode}, ${shopper.engine}`, '0 violations in a whole purchase')
    })
  }
}

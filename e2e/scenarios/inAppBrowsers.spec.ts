/** In-app browsers give null for `window.open`. The ladder ends in a widget that can be used, or in this very tab. */
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'

/** What an in-app browser does to a page. */
const inApp = (userAgent: string): string => `
  window.open = () => null
  Object.defineProperty(navigator, 'userAgent', { value: ${JSON.stringify(userAgent)} })`

const apps = {
  Facebook:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 [FBAN/FBIOS;FBAV/490.0.0.36.110;FBDV/iPhone15,2]',
  Instagram:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 Instagram 358.0.0.32.106',
  TikTok:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 musical_ly_2023706030 BytedanceWebview/d8a21c6',
  LINE: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 Safari Line/14.19.1',
  WeChat:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.54',
  LinkedIn:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 [LinkedInApp]/9.30.2240',
  'Google app':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/343.0.695551749 Mobile/15E148 Safari/604.1',
  'Android WebView':
    'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36',
}

for (const [app, userAgent] of Object.entries(apps)) {
  test.describe(app, () => {
    test.use({ shopperOptions: { viewport: { width: 390, height: 844 } } })

    test('a blocked popup becomes a modal that can be used', async ({ shopper, merchant }) => {
      merchant.page(
        '/',
        hostPage({ options: `{ companion: '/companion', mode: 'popup' }`, before: inApp(userAgent) }),
      )
      const host = await shopper.visit(merchant.url)
      await host.page.click({ button: 'Buy' })
      await host.frame('iframe').fill({ label: 'Email' }, 'shopper@example.com')
      await expect.poll(() => merchant.reports()).toContain('blocked modal')
      recordFigure(`${app}, window.open gives null, whenBlocked modal, ${shopper.engine}`, 'modal, usable')
    })

    test('a blocked popup becomes a redirect of this tab', async ({ shopper, merchant, service }) => {
      const options = `{ companion: '/companion', mode: 'popup', whenBlocked: 'redirect' }`
      merchant.page('/', hostPage({ options, before: inApp(userAgent) }))
      const host = await shopper.visit(merchant.url)
      await host.page.click({ button: 'Buy' })
      await host.page.fill({ label: 'Email' }, 'shopper@example.com')
      expect(await host.url()).toContain(service.widgetUrl)
      await expect.poll(() => merchant.reports()).toContain('blocked redirect')
      recordFigure(
        `${app}, window.open gives null, whenBlocked redirect, ${shopper.engine}`,
        'this tab, usable',
      )
    })
  })
}

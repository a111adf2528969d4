// Promise: surface/permissions
/** `permissions` reach the widget's page in the frame, also by the link, whose redirect changes the frame's origin, and no other page there. */
import type { RequestListener } from 'node:http'
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'
import { startWidgetHost, type WidgetHost } from '../fixtures/widgetHost.ts'
import type { EngineName, View } from './driver.ts'

/**
 * A page that tries each permission in a click. Chromium says itself whether a page may use the camera; Firefox and WebKit do not, but refuse it
 * with another error than that of a machine without one.
 */
const tryingPage =
  (name: string, next = '', more = ''): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><html lang="en"><title>${name}</title><h1>${name}</h1>
      <button id="try">Try</button> <a href="${next}">Next</a>${more}
      <script>
      const attempt = async (use) => {
        try {
          await use()
        } catch ({ name }) {
          if (name === 'ReferenceError') return 'missing'
          if (/NotAllowed|Security/.test(name)) return 'refused'
        }
        return 'granted'
      }
      const camera = () => {
        if (!document.featurePolicy) return navigator.mediaDevices.getUserMedia({ video: true })
        if (!document.featurePolicy.allowsFeature('camera')) throw new DOMException('', 'NotAllowedError')
      }
      const total = { label: 'Total', amount: { currency: 'USD', value: '1' } }
      const payment = () => new PaymentRequest([{ supportedMethods: 'https://pay.example/' }], { total })
      const clipboard = () => navigator.clipboard.writeText('address')
      document.querySelector('#try').onclick = async () => {
        const tried = await Promise.all([camera, payment, clipboard].map(attempt))
        const line = ['camera', 'payment', 'clipboard'].map((name, index) => name + ' ' + tried[index]).join(', ')
        document.body.append(Object.assign(document.createElement('output'), { textContent: line }))
      }
      // A page without a visitor can try these two.
      if (parent !== top)
        Promise.all([camera, payment].map(attempt)).then((tried) => top.postMessage('inside: ' + tried, '*'))
      </script></html>`)
  }

async function tryAll(view: View, name: string): Promise<string | null> {
  await expect.poll(() => view.text({ css: 'h1' })).toBe(name)
  await view.click({ button: 'Try' })
  await expect.poll(() => view.text({ css: 'output' })).not.toBeNull()
  return view.text({ css: 'output' })
}

/**
 * Neither Firefox nor WebKitGTK has `PaymentRequest`, so there is nothing to grant. Neither knows the policy `clipboard-write`: there a click lets
 * any frame write. Both would ignore these names in `allow`.
 */
const cameraAlone = {
  widget: 'camera granted, payment missing, clipboard granted',
  other: 'camera refused, payment missing, clipboard granted',
  inside: 'inside: refused,missing',
}
const documented: Record<EngineName, typeof cameraAlone> = {
  chromium: {
    widget: 'camera granted, payment granted, clipboard granted',
    other: 'camera refused, payment refused, clipboard refused',
    inside: 'inside: refused,refused',
  },
  firefox: cameraAlone,
  webkit: cameraAlone,
}

test('permissions are granted to the widget by the link, and neither to a page in it nor to one that follows it in the frame', async ({
  shopper,
  merchant,
}) => {
  const hosts: WidgetHost[] = []
  const start = async (answer: RequestListener): Promise<WidgetHost> => {
    const host = await startWidgetHost(answer)
    hosts.push(host)
    return host
  }
  try {
    const other = await start(tryingPage('other page'))
    const inside = await start(tryingPage('inside'))
    const widget = await start(tryingPage('widget', other.url, `<iframe src="${inside.url}"></iframe>`))
    merchant.intercept(({ url }, response) => {
      if (!url?.startsWith('/companion/launch?')) return false
      response.writeHead(303, { location: `${widget.url}/widget/` }).end()
      return true
    })
    const source = `companion: '/companion', widgetOrigin: '${widget.url}', params: { product_id: 'gold-100' }`
    merchant.page(
      '/',
      hostPage({
        options: `{ ${source}, container: '#slot', permissions: ['camera', 'payment', 'clipboard-write'] }`,
        before: `addEventListener('message', ({ data }) => note(data))`,
      }),
    )
    const tab = await shopper.visit(merchant.url)
    await expect.poll(() => merchant.reports()).toContain('page ready')
    await tab.page.click({ css: '#buy' })
    const expected = documented[shopper.engine]
    const frame = tab.frame('iframe')
    expect(await tryAll(frame, 'widget')).toBe(expected.widget)
    await expect.poll(() => merchant.reports()).toContain(expected.inside)
    expect((await tab.page.attribute({ css: 'iframe' }, 'allow'))?.split(';')).toEqual([
      `camera ${widget.url}`,
      `payment ${widget.url}`,
      `clipboard-write ${widget.url}`,
    ])
    await frame.click({ link: 'Next' })
    expect(await tryAll(frame, 'other page')).toBe(expected.other)
    recordFigure(
      `permissions by the link, ${shopper.engine}`,
      `the widget: ${expected.widget}; the page after it: ${expected.other}`,
    )
  } finally {
    for (const host of hosts) await host.close()
  }
})

/** The README's own snippets sell: they are copied into a server and pages, and run as they stand. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '@purchase-widget/sandbox'
import { recordFigure } from '../../scripts/proof.ts'
import { bundle } from '../fixtures/hosts.ts'
import { makeFolder, type Server, snippetWith, startServer } from '../fixtures/readmeShop.ts'
import { expect, test } from '../fixtures/test.ts'
import type { Shopper } from './driver.ts'
import { cards, leave, otherTab, pay } from './widgetPage.ts'

interface Shop {
  server: Server
  /** The newest order. */
  order(): Promise<{ id: string; redirect_url: string } | undefined>
}

async function inShop(
  page: string,
  scripts: (folder: string) => Promise<Record<string, string>>,
  use: (shop: Shop) => Promise<void>,
): Promise<void> {
  const sandbox = await createSandbox({})
  const { folder, remove } = makeFolder()
  const { widgetUrl, widgetApiUrl, baseUrl, controlUrl } = sandbox.urls
  const server = await startServer(folder, page, await scripts(folder), {
    PURCHASE_WIDGET_URL: widgetUrl,
    PURCHASE_WIDGET_API_URL: widgetApiUrl,
    PURCHASE_BASE_URL: baseUrl,
    PURCHASE_API_KEY: sandbox.credentials.apiKey,
    PURCHASE_SECRET_KEY: sandbox.credentials.secretKey,
  })
  try {
    await use({
      server,
      async order() {
        const answer = await fetch(`${controlUrl}/orders`)
        return ((await answer.json()) as { id: string; redirect_url: string }[])[0]
      },
    })
  } finally {
    await server.close()
    await sandbox.close()
    remove()
  }
}

const expectDelivered = async ({ server, order }: Shop, what: string, shopper: Shopper): Promise<void> => {
  await expect.poll(() => server.output()).toContain(`Deliver gold-100 for ${(await order())?.id}`)
  recordFigure(`README, ${what}, ${shopper.engine}`, 'bought, verified, delivered')
}

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>Shop</title></head><body><h1>Shop</h1>${body}</body></html>`

test('the script tag sells, and its result is verified', async ({ shopper }) => {
  const hear = `<script>addEventListener('purchasewidget:result', ({ detail }) => { window.result = detail })</script>`
  await inShop(
    page(hear + snippetWith('data-purchase-widget')),
    async () => ({}),
    async (shop) => {
      const host = await shopper.visit(shop.server.url)
      await host.page.click({ link: 'Buy 100 gold' })
      const popup = await otherTab(shopper, host)
      await pay(popup.page, cards.success)
      await leave(shopper, popup.page, { declined: false })
      await expect.poll(async () => new URL(await host.url()).pathname).toBe('/thanks')
      await expectDelivered(shop, 'script tag', shopper)
    },
  )
})

test('the React button sells, and says so where it stands', async ({ shopper }) => {
  await inShop(
    page('<div id="app"></div><script type="module" src="/react.js"></script>'),
    async (folder) => {
      writeFileSync(join(folder, 'Buy.tsx'), snippetWith('PurchaseButton'))
      writeFileSync(
        join(folder, 'main.tsx'),
        `import { createRoot } from 'react-dom/client'
        import { Buy } from './Buy.tsx'
        createRoot(document.querySelector('#app')!).render(<Buy />)`,
      )
      return { '/react.js': await bundle(join(folder, 'main.tsx')) }
    },
    async (shop) => {
      const host = await shopper.visit(shop.server.url)
      await host.page.click({ button: 'Buy 100 gold' })
      await pay(host.frame('iframe'), cards.success)
      await expect.poll(() => host.page.text({ css: '[role=status]' })).toContain('It is yours')
      await expectDelivered(shop, 'React', shopper)
    },
  )
})

test('the webview snippet opens the widget, and recognises the return', async ({ shopper }) => {
  await inShop(
    page(''),
    async () => ({}),
    async (shop) => {
      const { folder, remove } = makeFolder()
      try {
        const file = join(folder, 'webview.ts')
        writeFileSync(file, snippetWith('returnedFrom').replace('https://shop.example', shop.server.url))
        const webview = (await import(file)) as {
          launchUrl: string
          returnedFrom(url: string): string | undefined
        }
        await shopper.visit(shop.server.url)
        const tab = await shopper.visit(webview.launchUrl)
        await pay(tab.page, cards.success)
        await expect.poll(async () => new URL(await tab.url()).pathname).toBe('/thanks')
        // What a navigation delegate sees on the way there.
        expect(webview.returnedFrom(`${(await shop.order())?.redirect_url}`)).toMatch(/^[\w-]{22}$/)
        expect(webview.returnedFrom(await tab.url())).toBeUndefined()
        await expectDelivered(shop, 'webview', shopper)
      } finally {
        remove()
      }
    },
  )
})

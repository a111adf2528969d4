// Promise: docs/snippets
/** The snippets of the README, and that of a webview, sell: they are copied into a server and pages, and run as they stand. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '@purchase-widget/sandbox'
import { recordFigure } from '../../scripts/proof.ts'
import { codeWith } from '../fixtures/documents.ts'
import { bundle } from '../fixtures/hosts.ts'
import { makeFolder, pageWith, type Server, snippetWith, startServer } from '../fixtures/readmeShop.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab } from './driver.ts'
import { cards, leave, otherTab, pay, wordsOf } from './widgetPage.ts'

interface Order {
  id: string
  redirect_url: string
  fail_redirect_url: string
}

interface Shop {
  server: Server
  /** The newest order. */
  order(): Promise<Order | undefined>
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
        return ((await answer.json()) as Order[])[0]
      },
    })
  } finally {
    await server.close()
    await sandbox.close()
    remove()
  }
}

/** Where each course of a purchase ends in the README's shop, and what stands there. */
const courses = {
  paid: { card: cards.success, path: '/thanks', says: 'Thank you. It is yours.' },
  declined: { card: cards.insufficientBalance, path: '/basket', says: 'Not paid.' },
} as const

for (const [course, { card, path, says }] of Object.entries(courses)) {
  const declined = course === 'declined'

  /** What the shopper reads at the end, and what the server did. */
  async function expectEnd({ server, order }: Shop, tab: Tab, shopper: Shopper): Promise<void> {
    await expect.poll(() => tab.page.text({ css: '[role=status], [role=alert]' })).toContain(says)
    const delivered = `Deliver gold-100 for ${(await order())?.id}`
    if (declined) {
      // The popup closes a moment after, and in between nothing in it can be read.
      await expect.poll(() => shopper.tabs()).toEqual([tab])
      expect(await wordsOf(shopper)).not.toMatch(/thank you|it is yours/i)
      expect(server.output()).not.toContain('Deliver')
    } else await expect.poll(() => server.output()).toContain(delivered)
  }

  test(`the script tag of the README, ${course}: the page where it ends says so`, { tag: oneEngine }, async ({
    shopper,
  }) => {
    await inShop(
      pageWith('Shop', snippetWith('data-purchase-widget')),
      async () => ({}),
      async (shop) => {
        const host = await shopper.visit(shop.server.url)
        await host.page.click({ link: 'Buy 100 gold' })
        const popup = await otherTab(shopper, host)
        await pay(popup.page, card)
        if (declined) await leave(shopper, popup.page, { declined })
        await expect.poll(async () => new URL(await host.url()).pathname).toBe(path)
        await expectEnd(shop, host, shopper)
        recordFigure(`README, script tag, ${course}, ${shopper.engine}`, 'right words on the right page')
      },
    )
  })

  test(`the React button of the README, ${course}: says so where it stands`, { tag: oneEngine }, async ({
    shopper,
  }) => {
    await inShop(
      pageWith('Shop', '<div id="app"></div><script type="module" src="/react.js"></script>'),
      async (folder) => {
        writeFileSync(join(folder, 'Buy.tsx'), snippetWith('PurchaseButton'))
        writeFileSync(
          join(folder, 'main.tsx'),
          `import { createRoot } from 'react-dom/client'
        import { Buy } from './Buy.tsx'
        createRoot(document.querySelector('#app')!).render(<Buy />)`,
        )
        return bundle(join(folder, 'main.tsx'))
      },
      async (shop) => {
        const host = await shopper.visit(shop.server.url)
        await host.page.click({ button: 'Buy 100 gold' })
        const widget = host.frame('iframe')
        await pay(widget, card)
        if (declined) await leave(shopper, widget, { declined })
        await expectEnd(shop, host, shopper)
        recordFigure(`README, React, ${course}, ${shopper.engine}`, 'right words on the right page')
      },
    )
  })

  test(`the webview of docs/options.md, ${course}: opens the widget, and recognises the return`, {
    tag: oneEngine,
  }, async ({ shopper }) => {
    await inShop(
      pageWith('Shop', ''),
      async () => ({}),
      async (shop) => {
        const { folder, remove } = makeFolder()
        try {
          const file = join(folder, 'webview.ts')
          writeFileSync(
            file,
            codeWith('docs/options.md', 'returnedFrom').replace('https://shop.example', shop.server.url),
          )
          const webview = (await import(file)) as {
            launchUrl: string
            returnedFrom(url: string): string | undefined
          }
          await shopper.visit(shop.server.url)
          const tab = await shopper.visit(webview.launchUrl)
          await pay(tab.page, card)
          if (declined) await leave(shopper, tab.page, { declined })
          await expect.poll(async () => new URL(await tab.url()).pathname).toBe(path)
          // What a navigation delegate sees on the way there.
          const order = await shop.order()
          const returned = declined ? order?.fail_redirect_url : order?.redirect_url
          expect(webview.returnedFrom(`${returned}`)).toMatch(/^[\w-]{22}$/)
          expect(webview.returnedFrom(await tab.url())).toBeUndefined()
          await expectEnd(shop, tab, shopper)
          recordFigure(
            `docs/options.md, webview, ${course}, ${shopper.engine}`,
            'right words on the right page',
          )
        } finally {
          remove()
        }
      },
    )
  })
}

// Promise: docs/snippets
/** The snippets of the README and the webview snippet sell: they are copied verbatim into a server and pages, and run. */
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

/** Where each course of a purchase ends in the README's shop, and the text there: only the last one delivers. */
const courses = [
  { declined: true, card: cards.insufficientBalance, path: '/basket', says: 'Not paid.' },
  { declined: false, card: cards.success, path: '/thanks', says: 'Thank you. It is yours.' },
] as const

type Course = (typeof courses)[number]

/** Checks the shopper's final text, and the server's actions. */
async function expectEnd(
  { declined, says }: Course,
  { server, order }: Shop,
  tab: Tab,
  shopper: Shopper,
): Promise<void> {
  await expect.poll(() => tab.page.text({ css: '[role=status], [role=alert]' })).toContain(says)
  const delivered = `Deliver gold-100 for ${(await order())?.id}`
  if (!declined) return expect.poll(() => server.output()).toContain(delivered)
  // The popup closes shortly afterwards, and in between nothing in it can be read.
  await expect.poll(() => shopper.tabs()).toEqual([tab])
  expect(await wordsOf(shopper)).not.toMatch(/thank you|it is yours/i)
  expect(server.output()).not.toContain('Deliver')
}

const pathOf = async (tab: Tab): Promise<string> => new URL(await tab.url()).pathname

test('the script tag of the README: the page where a purchase ends shows the result', {
  tag: oneEngine,
}, async ({ shopper }) => {
  await inShop(
    pageWith('Shop', snippetWith('data-purchase-widget')),
    async () => ({}),
    async (shop) => {
      for (const course of courses) {
        const host = await shopper.visit(shop.server.url)
        await host.page.click({ link: 'Buy 100 gold' })
        const popup = await otherTab(shopper, host)
        await pay(popup.page, course.card)
        if (course.declined) await leave(shopper, popup.page, course)
        await expect.poll(() => pathOf(host)).toBe(course.path)
        await expectEnd(course, shop, host, shopper)
      }
      recordFigure(`README, script tag, ${shopper.engine}`, 'right words on the right page')
    },
  )
})

test('the React button of the README shows the result of a purchase in place', { tag: oneEngine }, async ({
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
      for (const course of courses) {
        const host = await shopper.visit(shop.server.url)
        await host.page.click({ button: 'Buy 100 gold' })
        const widget = host.frame('iframe')
        await pay(widget, course.card)
        if (course.declined) await leave(shopper, widget, course)
        await expectEnd(course, shop, host, shopper)
      }
      recordFigure(`README, React, ${shopper.engine}`, 'right words on the right page')
    },
  )
})

test('the webview of docs/options.md opens the widget and recognises the return', {
  tag: oneEngine,
}, async ({ shopper }) => {
  await inShop(
    pageWith('Shop', ''),
    async () => ({}),
    async (shop) => {
      const { folder, remove } = makeFolder()
      try {
        const file = join(folder, 'webview.ts')
        const snippet = codeWith('docs/options.md', 'returnedFrom')
        writeFileSync(file, snippet.replace('https://shop.example', shop.server.url))
        const webview = (await import(file)) as {
          launchUrl: string
          returnedFrom(url: string): string | undefined
        }
        for (const course of courses) {
          await shopper.visit(shop.server.url)
          const tab = await shopper.visit(webview.launchUrl)
          await pay(tab.page, course.card)
          if (course.declined) await leave(shopper, tab.page, course)
          await expect.poll(() => pathOf(tab)).toBe(course.path)
          // The navigation that a delegate intercepts.
          const order = await shop.order()
          const returned = course.declined ? order?.fail_redirect_url : order?.redirect_url
          expect(webview.returnedFrom(`${returned}`)).toMatch(/^[\w-]{22}$/)
          expect(webview.returnedFrom(await tab.url())).toBeUndefined()
          await expectEnd(course, shop, tab, shopper)
        }
        recordFigure(`docs/options.md, webview, ${shopper.engine}`, 'right words on the right page')
      } finally {
        remove()
      }
    },
  )
})

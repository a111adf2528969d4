// Promise: serve/any-language
/** Each shop in examples/any-language sells when started as its first lines say, behind the printed proxy configuration. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { test } from '@purchase-widget/sandbox/playwright'
import type { TestSandbox } from '@purchase-widget/sandbox/testing'
import { environmentOf } from '../../packages/sandbox/src/environment.ts'
import { type AnyShop, isMissing, languages, startAnyShop } from '../../scripts/anyLanguage.ts'

for (const language of languages) {
  test(`${language.name} sells once, and reports a decline, a refusal, a double payment and a missing sign-in`, async ({
    page,
    sandbox,
    buyer,
  }) => {
    test.skip(isMissing(language), `This machine lacks ${language.program} or ${language.proxy}.`)
    const folder = await mkdtemp(join(tmpdir(), 'any-language-'))
    let shop: AnyShop | undefined
    try {
      shop = await startAnyShop({ language, folder, env: environmentOf(sandbox) })
      await signedOut(page, shop)
      await page.goto(`${shop.url}/sign-in`)
      await buy(page, shop, () => buyer.pay())
      await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
      await expectDelivered(page, shop, 1)
      await buy(page, shop, async () => {
        await buyer.decline('4004')
        await page.context().pages().at(-1)?.getByText('Return to shop').click()
      })
      await expect(page.getByRole('heading', { name: 'Not paid' })).toBeVisible()
      await page.goto(`${shop.url}/api/purchase-widget/launch?product_id=silver`)
      await expect(page.getByText('We do not sell that.')).toBeVisible()
      await payTwice(page, shop, sandbox)
      await expectDelivered(page, shop, 2)
      await expect.poll(shop.output).toMatch(/is paid but duplicate: review it/)
      expect((await page.request.post(`${shop.url}/hooks/order`, { data: {} })).status()).toBe(404)
    } catch (error) {
      console.error(shop?.output())
      throw error
    } finally {
      await shop?.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
}

/** Opens the widget by the link, and pays for the same purchase in two windows. */
async function payTwice(page: Page, { url }: AnyShop, { urls }: TestSandbox): Promise<void> {
  await page.goto(`${url}/api/purchase-widget/launch?product_id=gold-100`)
  const params = Object.fromEntries(new URL(page.url()).searchParams)
  const body = JSON.stringify({ params, email: 'jane@shopper.example.com' })
  const pay = () =>
    fetch(`${urls.controlUrl}/purchases`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  expect([(await pay()).ok, (await pay()).ok]).toEqual([true, true])
  await page.goto(`${url}/api/purchase-widget/orders`)
}

async function signedOut(page: Page, { url }: AnyShop): Promise<void> {
  await page.goto(`${url}/api/purchase-widget/launch?product_id=gold-100`)
  await expect(page.getByText('Sign in first.')).toBeVisible()
}

async function buy(page: Page, { url }: AnyShop, pay: () => Promise<void>): Promise<void> {
  await page.goto(url)
  await page.getByRole('link', { name: 'Buy 100 gold' }).click()
  await pay()
}

async function expectDelivered(page: Page, { url }: AnyShop, count: number): Promise<void> {
  const delivered = async (): Promise<number> => {
    await page.goto(url)
    return page.getByRole('listitem').count()
  }
  await expect.poll(delivered).toBe(count)
}

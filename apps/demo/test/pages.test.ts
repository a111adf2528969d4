/** The shop's pages in a browser: accessible, steady, and under their own policy. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { recordFigure } from '../../../scripts/proof.ts'
import { type Demo, startDemo } from '../server/startDemo.ts'
import { launchChromium, newProfile } from './browser.ts'
import { controlOf } from './control.ts'

let demo: Demo
let browser: Browser
beforeAll(async () => {
  ;[demo, browser] = await Promise.all([startDemo({ port: 0 }), launchChromium()])
})
afterAll(async () => {
  await browser.close()
  await demo.close()
})

const desktop = { width: 1280, height: 900 }
const phone = { width: 360, height: 740 }

const contexts: BrowserContext[] = []
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
})

/** A visitor's page, and everything that the browser complained about. */
async function openPage(
  path: string,
  options: Parameters<Browser['newContext']>[0] = { viewport: desktop },
): Promise<{ page: Page; complaints: string[] }> {
  const context = await newProfile(browser, options)
  contexts.push(context)
  const complaints: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  const page = await context.newPage()
  await page.goto(demo.url + path)
  return { page, complaints }
}

/** Fills in the widget's form with a card that pays, and pays. */
async function pay(page: Page): Promise<void> {
  const widget = page.frameLocator('iframe')
  await widget.getByLabel('Email').fill('ada@example.com')
  await widget.getByLabel('Card number').fill('4242 4242 4242 4242')
  await widget.getByLabel('Expiry date').fill('12/34')
  await widget.getByLabel('Security code').fill('123')
  await widget.getByRole('button', { name: /^Pay/ }).click()
}

async function violationsOf(axe: AxeBuilder): Promise<string[][]> {
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
}

/**
 * Adds up every layout shift of the shop's own from now on, also those right after a click, which the usual score leaves out. A step that
 * arrives late takes its place among the others, and the dialog is the loader's.
 */
async function watchLayoutShift(page: Page): Promise<() => Promise<number>> {
  const sum = await page.evaluateHandle(() => {
    interface Shift extends PerformanceEntry {
      value: number
      sources: readonly { node?: Node }[]
    }
    const isOurs = ({ node }: { node?: Node }): boolean => {
      const element = node instanceof Element ? node : node?.parentElement
      return element?.closest('main') != null && !element.closest('.story')
    }
    const total = { value: 0 }
    const add = (list: PerformanceObserverEntryList): void => {
      for (const entry of list.getEntries() as Shift[]) {
        if (entry.sources.some(isOurs)) total.value += entry.value
      }
    }
    new PerformanceObserver(add).observe({ type: 'layout-shift' })
    return total
  })
  return () => sum.evaluate(({ value }) => value)
}

const paths = {
  home: '/',
  account: '/account',
  orders: '/orders',
  'script tag': '/plain.html',
  webview: '/webview.html',
  return: '/return.html?purchase=AAAAAAAAAAAAAAAAAAAAAA',
  guide: '/read/docs/start-express.md',
}

describe.each(Object.entries(paths))('the page %s', (_name, path) => {
  test('has nothing for axe to find, in light and from right to left nor in dark, and fits a phone of 320 px', async () => {
    // Without transitions, so that no colour is looked at half-way to another.
    const { page } = await openPage(path, {
      viewport: desktop,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    })
    await page.getByRole('main').waitFor()
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    expect(await violationsOf(new AxeBuilder({ page }))).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violationsOf(new AxeBuilder({ page }).withRules('color-contrast'))).toEqual([])

    await page.setViewportSize({ width: 320, height: 640 })
    const overflow = (dir: string): Promise<number> =>
      page.evaluate((direction) => {
        const html = document.documentElement
        html.dir = direction
        return html.scrollWidth - html.clientWidth
      }, dir)
    expect(await overflow('ltr')).toBe(0)
    expect(await overflow('rtl')).toBe(0)
  })
})

describe('a purchase in the shop', () => {
  test('in a frame has all of what the loader offers beneath it', async () => {
    const { page } = await openPage('/?product=gold-100&mode=iframe')
    await page.getByRole('button', { name: /^Buy/ }).click()
    const trouble = page.getByRole('button', { name: 'Having trouble?' })
    await trouble.waitFor()
    const bottomOf = (element: Element): number => element.getBoundingClientRect().bottom
    expect(await trouble.evaluate(bottomOf)).toBeLessThanOrEqual(
      await page.locator('.frame').evaluate(bottomOf),
    )
  })

  test('leaves what is below the result in its place on a narrow phone', async () => {
    const { page } = await openPage('/?redirectPage=new', { viewport: { width: 320, height: 640 } })
    const below = page.locator('.witness, .tour')
    const placesOf = () => below.evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetTop))
    await page.evaluate(() => document.fonts.ready)
    const before = await placesOf()
    await page.getByRole('button', { name: /^Buy/ }).click()
    await pay(page)
    await page.getByTestId('purchase-result').waitFor()
    expect(await placesOf()).toEqual(before)
  })

  test.each([
    ['iframe', phone],
    ['modal', desktop],
  ] as const)('moves nothing on the page when the widget opens: %s, %o', async (mode, viewport) => {
    const { page, complaints } = await openPage(`/?product=gold-100&mode=${mode}`, { viewport })
    const buy = page.getByRole('button', { name: /^Buy/ })
    await buy.scrollIntoViewIfNeeded()
    await page.evaluate(() => document.fonts.ready)
    const landmarks = page.locator('h1, h2, [role=radiogroup], .checkout, .story')
    const placesOf = () => landmarks.evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetTop))
    const before = await placesOf()
    const layoutShift = await watchLayoutShift(page)

    await buy.click()
    await page.frameLocator('iframe').getByLabel('Card number').waitFor()
    // The score leaves out what is below the fold, and shifts of less than three pixels.
    expect(await placesOf()).toEqual(before)
    expect(await layoutShift()).toBe(0)
    recordFigure(`Layout shift when the widget opens (${mode}, ${viewport.width} px)`, 0)
    expect(complaints).toEqual([])
  })

  test('tells its story and ends among the orders, delivered', async () => {
    const { page, complaints } = await openPage('/?product=season-pass&mode=modal&redirectPage=new')
    await page.getByRole('button', { name: /^Buy/ }).click()
    await pay(page)
    await page.getByTestId('purchase-result').waitFor()
    const story = page.getByRole('region', { name: 'What happens' })
    for (const step of [
      'Click on Buy',
      'Says that an order has changed',
      'The order is what was sold',
      'Delivers',
      'result: success, verified',
    ])
      await story.getByText(step).first().waitFor()
    expect(await violationsOf(new AxeBuilder({ page }))).toEqual([])

    await page.getByRole('link', { name: 'Orders' }).click()
    const order = page.getByRole('article').filter({ hasText: 'Season pass' })
    await order.getByText('order complete').waitFor()
    await order.getByText('Delivered').waitFor()
    expect(complaints).toEqual([])
  })
})

describe('cheating', () => {
  test('without a return address is an order of no purchase, and not delivered', async () => {
    const { page } = await openPage('/?product=gold-100&mode=modal&token=page')
    await page.getByRole('radio', { name: 'No return address' }).check()
    await page.getByRole('button', { name: /^Buy/ }).click()
    await pay(page)
    const story = page.getByRole('region', { name: 'What happens' })
    await story.getByText('Does not deliver').waitFor()
  })

  test('has nothing to change where the token is on the server', async () => {
    const { page } = await openPage('/?product=gold-100&token=server')
    expect(await page.getByRole('radio', { name: 'A lower price' }).isDisabled()).toBe(true)
  })
})

describe('the script tag’s page', () => {
  test('names the order that was paid, as the shop does', async () => {
    const { page } = await openPage('/plain.html?redirectPage=new')
    await page.locator('a#buy').click()
    await pay(page)
    const result = page.getByTestId('purchase-result')
    await result.waitFor()
    const [paid] = (await (await fetch(`${demo.sandbox.urls.controlUrl}/orders`)).json()) as { id: string }[]
    expect(paid).toBeDefined()
    await result.getByText(`Order ${paid?.id}`).waitFor()
  })
})

describe('a finger', () => {
  test.each(['/', '/account', '/plain.html'])('meets nothing smaller than 24 px: %s', async (path) => {
    const { page } = await openPage(path, { viewport: { width: 320, height: 640 } })
    await page.getByText('Reading').first().waitFor({ state: 'detached' })
    const small = await page.locator('a, button, select, label, input').evaluateAll((all) =>
      all
        .filter((one) => !one.closest('label') || one.matches('label'))
        // In a sentence a link is as high as its line.
        .filter((one) => !(one.matches('p > a') && one.parentElement?.textContent !== one.textContent))
        .map((one) => ({ text: one.textContent, ...one.getBoundingClientRect().toJSON() }))
        .filter(({ width, height }) => width > 0 && Math.min(width, height) < 24),
    )
    expect(small).toEqual([])
  })
})

describe('what cannot be bought', () => {
  test('is said in the shop’s own words', async () => {
    const { page } = await openPage('/?product=first-crown&mode=modal')
    await page.getByRole('button', { name: /^Buy/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    const result = page.getByTestId('purchase-result')
    await result.getByText('First crown is sold out.').waitFor()
    expect(await result.getAttribute('data-status')).toBe('error')
  })
})

describe('without JavaScript', () => {
  test('the script tag’s link leads to the checkout', async () => {
    const { page } = await openPage('/plain.html', { viewport: desktop, javaScriptEnabled: false })
    const href = await page.getByRole('link', { name: /^Buy/ }).getAttribute('href')
    const answer = await page.context().request.get(demo.url + href, { maxRedirects: 0 })
    expect(answer.status()).toBe(303)
    expect(answer.headers().location).toContain(demo.sandbox.urls.widgetUrl)
  })
})

describe('the return page', () => {
  test('says at once that an address names no purchase, and asks nobody', async () => {
    const asked: string[] = []
    const context = await newProfile(browser, { viewport: desktop })
    contexts.push(context)
    context.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const page = await context.newPage()
    await page.goto(`${demo.url}/return.html`)
    await page.getByText('This address names no purchase').waitFor()
    expect(await page.getByRole('status').count()).toBe(0)
    expect(asked.filter((path) => path.startsWith('/api/purchase-widget'))).toEqual([])
  })

  test('names the purchase at once, while the server is asked', async () => {
    const { page } = await openPage('/return.html?purchase=AAAAAAAAAAAAAAAAAAAAAA')
    await page.getByText('AAAAAAAAAAAAAAAAAAAAAA').waitFor()
    await page.getByText('The shop’s server is asked how it ended').waitFor()
  })
})

describe('forced colours', () => {
  test('buttons, switches and choices keep their edges', async () => {
    const { page } = await openPage('/?product=gold-100', { viewport: desktop, forcedColors: 'active' })
    await page.getByRole('checkbox').first().waitFor()
    const edgeOf = (element: Element, pseudo?: string): string => {
      const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(element, pseudo)
      return `${borderTopStyle} ${borderTopWidth === '0px' ? 'none' : 'wide'} ${/^rgba.*, 0\)$/.test(borderTopColor) ? 'unseen' : 'seen'}`
    }
    expect(await page.getByRole('button', { name: /^Buy/ }).evaluate(edgeOf)).toBe('solid wide seen')
    expect(await page.getByRole('checkbox').first().evaluate(edgeOf, '::before')).toBe('solid wide seen')
    expect(await page.locator('.choice').first().evaluate(edgeOf)).toBe('solid wide seen')
  })
})

describe('arriving', () => {
  test.each(['/', '/plain.html'])('moves nothing under a phone’s reader: %s', async (path) => {
    const context = await newProfile(browser, { viewport: phone })
    contexts.push(context)
    const page = await context.newPage()
    // Fonts that come late are where a shift would come from.
    await page.route('**/*.woff2', async (route) => {
      const answer = await route.fetch()
      await new Promise((resolve) => setTimeout(resolve, 700))
      await route.fulfill({ response: answer })
    })
    // So would answers that come one by one.
    const late = { '/api/shop/session': 900, '/api/purchase-widget/user': 600 }
    for (const [path, ms] of Object.entries(late))
      await page.route(`**${path}`, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, ms))
        await route.continue()
      })
    await page.addInitScript(() => {
      const total = { shift: 0 }
      Object.assign(window, { total })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          total.shift += (entry as PerformanceEntry & { value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(demo.url + path, { waitUntil: 'networkidle' })
    await page.evaluate(() => document.fonts.ready)
    const shiftNow = (): Promise<number> =>
      page.evaluate(() => (window as unknown as { total: { shift: number } }).total.shift)
    const shift = await shiftNow()
    recordFigure(`Layout shift on arriving at ${path} (${phone.width} px, late fonts)`, shift)
    expect(shift).toBeLessThan(0.05)
    // The observer sees a shift where there is one.
    await page.evaluate(() => {
      const block = document.createElement('div')
      block.style.height = '200px'
      document.body.prepend(block)
    })
    await expect.poll(shiftNow).toBeGreaterThan(0.05)
  })
})

describe('a webview', () => {
  test.each([
    ['4242 4242 4242 4242', 'success', 'order_complete'],
    ['4000 0000 0000 4005', 'failure', 'order_failed'],
  ])('buys with %s by the launch route and comes back to a verified %s', async (card, status, type) => {
    const { page, complaints } = await openPage('/webview.html?product=gold-550', { viewport: phone })
    await page.getByRole('link', { name: /^Buy/ }).click()
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Card number').fill(card)
    await page.getByLabel('Expiry date').fill('12/34')
    await page.getByLabel('Security code').fill('123')
    await page.getByRole('button', { name: /^Pay/ }).click()
    if (status === 'failure') await page.getByText('Return to shop').click()

    const result = page.getByTestId('purchase-result')
    await result.waitFor()
    expect(new URL(page.url()).pathname).toBe('/return.html')
    expect(await result.getAttribute('data-status')).toBe(status)
    expect(await result.getAttribute('data-verified')).toBe('true')
    expect(await result.getAttribute('data-order-type')).toBe(type)
    const waysOn = await page.locator('.return-links a').allTextContents()
    const loudest = await page.locator('.return-links .button:not(.quiet)').allTextContents()
    const back = ['Back to the shop', 'Your orders']
    expect(waysOn).toEqual(status === 'failure' ? ['Try again', ...back] : back)
    expect(loudest).toEqual(waysOn.slice(0, 1))
    expect(complaints).toEqual([])
    if (status === 'success') return
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('button', { name: /^Pay/ }).waitFor()
    expect(page.url()).toContain(demo.sandbox.urls.widgetUrl)
  })
})

describe('orders', () => {
  test('wait for what the shop has done about them: none is on its way that was delivered', async () => {
    const { page } = await openPage('/?product=gold-100&redirectPage=new')
    await page.getByRole('button', { name: /^Buy/ }).click()
    await pay(page)
    await page.getByTestId('purchase-result').waitFor()
    let answer = (): void => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/shop/deliveries', async (route) => {
      await asked
      await route.continue()
    })
    const listed = page.waitForResponse((response) => response.url().endsWith('/orders') && response.ok())
    await page.getByRole('link', { name: 'Orders' }).click()
    await (await listed).finished()
    await page.getByText('Reading your orders').waitFor()
    expect(await page.getByRole('article').count()).toBe(0)
    answer()
    await page.getByRole('article').getByText('Delivered').waitFor()
  })
})

describe('account', () => {
  test('signing in is busy until it is done, and is asked for once', async () => {
    const { page } = await openPage('/account')
    let asked = 0
    await page.route('**/api/shop/session', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      asked++
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    })
    await page.getByLabel('Name', { exact: true }).fill('Ada')
    const button = page.getByRole('button', { name: 'Sign in' })
    await button.dblclick()
    expect(await button.getAttribute('aria-busy')).toBe('true')
    await page.getByText('You are signed in').waitFor()
    expect(asked).toBe(1)
  })

  test('a shopper signs up, and sees their limits and what a purchase takes from them', async () => {
    const { page } = await openPage('/account')
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByLabel('Phone, with + and country').fill('+14155552672')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByText('Light identity check').waitFor()
    await page.getByText('0.00 spent').first().waitFor()

    const [session] = await page.context().cookies()
    const customId = session?.value.split('.')[0] ?? ''
    const bought = { custom_id: customId, product_id: 'club-monthly', quote: 'USD', quote_amount: '4.99' }
    await controlOf(demo.sandbox.urls).pay(bought, 'grace@example.com')
    await page.reload()
    await page.getByText('4.99 spent').waitFor()
    await page.getByText('Lantern Club monthly, next on').waitFor()
    await page.getByText('···· 4242').waitFor()
    expect(await violationsOf(new AxeBuilder({ page }))).toEqual([])
  })

  test('a guest signs in by name, and still sees what they bought', async () => {
    const { page } = await openPage('/?product=gold-550&mode=modal&redirectPage=new')
    await page.getByRole('button', { name: /^Buy/ }).click()
    await pay(page)
    await page.getByTestId('purchase-result').waitFor()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Margaret')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('You are signed in').waitFor()
    await page.getByRole('link', { name: 'Orders' }).click()
    const order = page.getByRole('article').filter({ hasText: '550 gold' })
    await order.getByText('Delivered').waitFor()

    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are a guest').waitFor()
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByText('Nothing yet').waitFor()
  })

  test('what the service refuses is said, and can be mended', async () => {
    const { page } = await openPage('/account')
    await page.getByLabel('E-mail').fill('alan@example.com')
    await page.getByLabel('Phone, with + and country').fill('+14155552673')
    await page.getByLabel('Country, three letters').fill('XXX')
    await page.getByRole('button', { name: 'Sign up' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'These details cannot be used' })
    await alert.waitFor()
    await page.getByLabel('Country, three letters').fill('USA')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByText('Light identity check').waitFor()
  })
})

describe('make it go wrong', () => {
  const set = async (id: string, on: boolean): Promise<void> => {
    const response = await fetch(`${demo.url}/api/shop/troubles/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ on }),
    })
    expect(response.status).toBe(204)
  }
  afterEach(async () => {
    await set('service-down', false)
    await set('hiccup', false)
  })

  test('a service that goes down during the payment gives no result until it is back', async () => {
    const { page } = await openPage('/?product=gold-100&mode=modal&redirectPage=new')
    await page.getByRole('button', { name: /^Buy/ }).click()
    await page.frameLocator('iframe').getByLabel('Email').waitFor()
    await set('service-down', true)
    await pay(page)
    await page
      .getByText(/orders\W*list, 503/)
      .first()
      .waitFor()
    expect(await page.getByTestId('purchase-result').count()).toBe(0)

    await set('service-down', false)
    const result = page.getByTestId('purchase-result')
    await result.waitFor()
    expect(await result.getAttribute('data-status')).toBe('success')
    expect(await result.getAttribute('data-verified')).toBe('true')
  })
})

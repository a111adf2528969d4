// Promise: link/one-row
/**
 * The store has one row for each purchase, whatever its shopper does with a link: reloads of the frame, the window and the page, back and
 * forward, a restored tab, a hundred clicks, two tabs.
 */
import { full, recordFigure } from '../../scripts/proof.ts'
import { returnPage } from '../fixtures/hostPage.ts'
import { type Host, hosts, openShop } from '../fixtures/hosts.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { product } from '../fixtures/pairwise.ts'
import { keepRows } from '../fixtures/rows.ts'
import type { Service } from '../fixtures/service.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab } from './driver.ts'
import { smallWindow } from './failureReport.ts'
import { cards, type Mode, otherTab, pay, widgetIn } from './widgetPage.ts'

test.use({ shopperOptions: smallWindow })

interface Scene {
  shopper: Shopper
  merchant: Merchant
  /** The shop's tab, whose shopper has opened one purchase. */
  tab: Tab
}

interface Course {
  modes: readonly Mode[]
  /** Leads to the widget, in the place where the mode opens it. */
  go(scene: Scene): Promise<void>
  /** How many purchases have begun. */
  purchases: 1 | 2
}

const courses: Record<string, Course> = {
  'a reload of the frame': {
    modes: ['modal', 'iframe'],
    purchases: 1,
    async go({ tab }) {
      const frame = tab.frame('iframe')
      await frame.evaluate(() => {
        document.title = 'before'
        setTimeout(() => location.reload())
      })
      const title = () => frame.evaluate(() => document.title).catch(() => 'loading')
      await expect.poll(title, 'the frame').not.toMatch(/^(before|loading|)$/)
    },
  },
  'a reload of the window': {
    modes: ['popup'],
    purchases: 1,
    go: async ({ shopper, tab }) => (await otherTab(shopper, tab)).reload(),
  },
  'a reload of the widget in this tab': {
    modes: ['redirect'],
    purchases: 1,
    go: ({ tab }) => tab.reload(),
  },
  'a reload of the page, and another click': {
    modes: ['modal', 'iframe'],
    purchases: 2,
    async go({ tab, merchant }) {
      await again(merchant, tab.reload)
      await tab.page.click({ button: 'Buy' })
    },
  },
  'back and forward': {
    modes: ['redirect'],
    purchases: 1,
    async go({ merchant, tab }) {
      await again(merchant, tab.back)
      await tab.forward()
    },
  },
  'back, and another click': {
    modes: ['redirect'],
    purchases: 2,
    async go({ merchant, tab }) {
      await again(merchant, tab.back)
      await tab.page.click({ button: 'Buy' })
    },
  },
  // Its browser loads the address that the shopper opened.
  'a restored tab': {
    modes: ['redirect'],
    purchases: 1,
    async go({ shopper, merchant }) {
      const link = merchant.requests().find(({ url }) => url.startsWith('/companion/launch?'))
      await shopper.visit(`${merchant.url}${link?.url}`)
    },
  },
}

/** Performs an action, and waits until the page is shown again. */
async function again(merchant: Merchant, act: () => Promise<void>): Promise<void> {
  const shown = (): number => merchant.reports().filter((entry) => entry === 'shown').length
  const before = shown()
  await act()
  await expect.poll(shown, 'the shop').toBeGreaterThan(before)
}

const tellWhenShown = `addEventListener('pageshow', () => note('shown'));`

/** A click of the shopper's, and before it 99 others in the same moment. */
const hundredfold = `
  addEventListener('click', (event) => {
    if (event.isTrusted) for (let count = 1; count < 100; count++) event.target.closest('a, button').click()
  }, true);`

/** The shop opens everything by the link. */
async function open(
  { merchant, service }: { merchant: Merchant; service: Service },
  host: Host,
  mode: Mode,
  before: string,
  extra = '',
): Promise<void> {
  merchant.page('/return.html', returnPage)
  const given = { mode, redirectPage: 'self', pageToken: false, widgetOrigin: service.widgetUrl } as const
  await openShop(merchant, host, given, { before: tellWhenShown + before, extra })
}

/** The two others are like a reload of the window, and of the page. */
const isSample = (course: string): boolean => !/this tab|^back, /.test(course)

for (const [course, { modes, go, purchases }] of Object.entries(courses))
  for (const { mode, host } of product({ mode: full ? modes : modes.slice(0, 1), host: hosts })) {
    if (!full && (host !== 'script tag' || !isSample(course))) continue
    test(`${host}, ${mode}: ${course}, and the store has a row for each purchase`, {
      // Each engine reloads frames, and goes back and forward, in its own way.
      tag: ['a reload of the frame', 'back and forward'].includes(course) ? [] : oneEngine,
    }, async ({ shopper, merchant, service }) => {
      const rows = keepRows(service)
      await open({ merchant, service }, host, mode, '')
      const tab = await shopper.visit(merchant.url)
      await expect.poll(() => merchant.reports()).toContain('page ready')
      await tab.page.click({ button: 'Buy' })
      const widget = await widgetIn(shopper, tab, mode, 'self')
      await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
      expect(await rows()).toEqual([null])
      await go({ shopper, merchant, tab })
      await pay(await widgetIn(shopper, tab, mode, 'self'), cards.success)
      await expectRows({ service, rows, paid: 1, purchases })
      recordFigure(`rows: ${course}, ${host}, ${mode}, ${shopper.engine}`, `${purchases} for ${purchases}`)
    })
  }

const modes = ['iframe', 'modal', 'popup', 'redirect'] as const
const clicked = product({ mode: modes, host: hosts })
const someClicked = clicked.filter(
  ({ mode, host }) => host === 'script tag' && (mode === 'popup' || mode === 'redirect'),
)

for (const { mode, host } of full ? clicked : someClicked)
  test(`${host}, ${mode}: a hundred clicks begin one purchase`, { tag: oneEngine }, async ({
    shopper,
    merchant,
    service,
  }) => {
    const rows = keepRows(service)
    await open({ merchant, service }, host, mode, hundredfold)
    const tab = await shopper.visit(merchant.url)
    await expect.poll(() => merchant.reports()).toContain('page ready')
    await tab.page.click({ button: 'Buy' })
    await pay(await widgetIn(shopper, tab, mode, 'self'), cards.success)
    await expectRows({ service, rows, paid: 1, purchases: 1 })
    recordFigure(`rows: a hundred clicks, ${host}, ${mode}, ${shopper.engine}`, '1 for 1')
  })

/** The copy has what the first tab has stored. */
const copies = { 'two tabs': '', 'a tab and its copy': 'opener' }

for (const [name, rel] of Object.entries(copies))
  for (const host of hosts) {
    if (!full && (host !== 'script tag' || !rel)) continue
    test(`${host}: ${name} begin a purchase each`, { tag: oneEngine }, async ({
      shopper,
      merchant,
      service,
    }) => {
      const rows = keepRows(service)
      const extra = `<a href="/" target="_blank" rel="${rel}">Another tab</a>`
      await open({ merchant, service }, host, 'iframe', '', extra)
      const first = await shopper.visit(merchant.url)
      await expect.poll(() => merchant.reports()).toContain('page ready')
      await first.page.click({ button: 'Buy' })
      await expect.poll(() => first.frame('iframe').text({ label: 'Email' })).not.toBeNull()
      await first.page.click({ link: 'Another tab' })
      const second = await otherTab(shopper, first)
      // Only then does its button work.
      await expect.poll(() => merchant.reports().filter((entry) => entry === 'page ready')).toHaveLength(2)
      await second.page.click({ button: 'Buy' })
      await expect.poll(() => second.frame('iframe').text({ label: 'Email' })).not.toBeNull()
      expect(await rows()).toEqual([null, null])
      await pay(second.frame('iframe'), cards.success)
      await expectRows({ service, rows, paid: 1, purchases: 2 })
      await first.toFront()
      await pay(first.frame('iframe'), cards.success)
      await expectRows({ service, rows, paid: 2, purchases: 2 })
      recordFigure(`rows: ${name}, ${host}, ${shopper.engine}`, '2 for 2')
    })
  }

interface Expected {
  service: Service
  rows: () => Promise<(string | null)[]>
  paid: number
  purchases: number
}

/** Each order has settled one purchase, and there is no row but those of the shopper's purchases. */
async function expectRows({ service, rows, paid, purchases }: Expected): Promise<void> {
  const types = async (): Promise<string[]> => (await service.orders()).map(({ type }) => type)
  await expect.poll(types).toEqual(Array(paid).fill('order_complete'))
  const orders = (await service.orders()).map(({ id }) => id)
  const unpaid = Array(purchases - paid).fill(null)
  await expect.poll(async () => (await rows()).toSorted()).toEqual([...orders, ...unpaid].toSorted())
}

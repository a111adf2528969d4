// Promise: widget/accessible
/** Every step of the widget page against axe, and by keyboard. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { afterAll, expect, test } from 'vitest'
import { full, recordFigure } from '../../../../scripts/proof.ts'
import { aboveLowLimit, fillPayment, pay, shopForTests } from './shop.ts'

const shop = await shopForTests()
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const gold = { product_id: 'gold-1200' }

/** Every step, and how a shopper reaches it. */
const steps = {
  pay: () => shop.open(gold),
  choose: () => shop.open(),
  subscribe: () => shop.open({ product_id: 'club-monthly' }),
  'test cards': async () => {
    await shop.open(gold)
    await shop.page.getByText('Test cards').click()
  },
  corrections: async () => {
    await shop.open(gold)
    await fillPayment(shop.page, { card: '4242 42', expiry: '13/29', code: '1' })
    await shop.page.getByRole('button', { name: /^Pay/ }).click()
    await shop.page.getByText('Enter the whole number').waitFor()
  },
  declined: async () => {
    await shop.open({ ...gold, fail_redirect_url: `${shop.url}/sorry` })
    await pay(shop.page, { card: '4000 0000 0000 4004' })
    await shop.page.getByRole('alert').waitFor()
  },
  identity: async () => {
    await shop.open(aboveLowLimit)
    await pay(shop.page)
    await shop.page.getByRole('button', { name: 'Allow camera' }).click()
  },
  complete: async () => {
    await shop.open({ ...gold, redirect_url: `${shop.url}/thanks`, redirect_page: 'new' })
    await pay(shop.page)
    await shop.page.getByText('The shop is open in another tab.').waitFor()
  },
  subscribed: async () => {
    await shop.open({ product_id: 'club-monthly' })
    await pay(shop.page)
    await shop.page.getByRole('button', { name: 'Cancel subscription' }).click()
  },
  refused: async () => {
    await shop.page.goto(await shop.widgetAddress({}, 'expired-long-ago'))
    await shop.page.getByRole('alert').waitFor()
  },
} satisfies Record<string, () => Promise<void>>

const schemes = ['light', 'dark'] as const

test.for(Object.entries(steps).map(([name, reach], index) => [name, reach, index] as const))(
  'the step %s passes axe and fits 320 pixels',
  async ([, reach, index]) => {
    await shop.page.emulateMedia({ reducedMotion: 'reduce' })
    await reach()
    await shop.page.evaluate(axe)
    // Each scheme in every second step, and both in all where everything is tried.
    for (const colorScheme of schemes.filter((_, scheme) => full || scheme === index % 2)) {
      await shop.page.emulateMedia({ colorScheme })
      expect(await violations(), colorScheme).toEqual([])
    }
    await shop.page.setViewportSize({ width: 320, height: 568 })
    expect(await shop.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await shop.page.evaluate(partsCutOff)).toEqual([])
  },
)

const figures = { looks: 0, violations: 0 }
afterAll(() =>
  recordFigure('widget page: axe violations', `${figures.violations} in ${figures.looks} looks at its steps`),
)

async function violations(): Promise<string[]> {
  const { violations } = await shop.page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })")
  figures.looks += 1
  figures.violations += violations.length
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Runs in the page. The row of offers may be wider: it scrolls by itself. */
function partsCutOff(): string[] {
  const parts = [...document.querySelectorAll('button, a, input, h1, h2, p')]
  const cut = parts.filter((part) => {
    const { left, right } = part.getBoundingClientRect()
    return !part.closest('.cards') && (left < 0 || right > innerWidth)
  })
  return cut.map(({ outerHTML }) => outerHTML)
}

test('with reduced motion nothing moves', async () => {
  await shop.page.emulateMedia({ reducedMotion: 'reduce' })
  await steps.complete()
  expect(await shop.page.evaluate(() => document.getAnimations().length)).toBe(0)
})

test('a dark page is dark from its first paint', async () => {
  await shop.useProfile({ colorScheme: 'dark' })
  await shop.page.route('**/*.js', () => {})
  await shop.page.goto(await shop.widgetAddress({ product_id: 'gold-100' }), { waitUntil: 'commit' })
  await shop.page.waitForFunction(() => document.styleSheets.length > 0)
  const ground = await shop.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  expect(ground).toBe('rgb(9, 13, 12)')
})

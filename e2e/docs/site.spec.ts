/** The documentation site, as its visitors meet it: readable for everyone, and searchable without a network. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import axe, { type AxeResults } from 'axe-core'
import { recordFigure } from '../../scripts/proof.ts'
import { sitePages, startSite } from './siteServer.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const test = base.extend<object, { site: { url: string } }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
    async ({}, use) => {
      const site = await startSite()
      await use(site)
      await site.close()
    },
    { scope: 'worker' },
  ],
})

/** A page with its scripts at work. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('.VPSwitchAppearance:not([title=""])').first().waitFor({ state: 'attached' })
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme })

    test('axe has nothing to say about any page', async ({ page, site }) => {
      test.setTimeout(600_000)
      const found: string[] = []
      const pages = sitePages()
      for (const path of pages) {
        await open(page, site.url + path)
        await page.addScriptTag({ content: axe.source })
        const { violations } = await page.evaluate((): Promise<AxeResults> => window.axe.run(document))
        found.push(...violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html}`))
      }
      expect(pages.length).toBeGreaterThan(30)
      expect(found).toEqual([])
      recordFigure(
        `documentation, ${colorScheme}: pages on which axe finds something`,
        `0 of ${pages.length}`,
      )
    })
  })
}

test('no page is wider than a phone', async ({ page, site }) => {
  test.setTimeout(600_000)
  await page.setViewportSize({ width: 360, height: 740 })
  const wide: string[] = []
  for (const path of sitePages()) {
    await open(page, site.url + path)
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(path)
  }
  expect(wide).toEqual([])
})

/** Every error code, every option, every variable of the environment. */
function wordsToFind(): string[] {
  const codes = [...read('docs/errors.md').matchAll(/^\|(?: \d{3} \|)? `(\w+)` \|/gm)]
  const variables = [...read('docs/server.md').matchAll(/`(PURCHASE_\w+)`/g)]
  const options = [
    'packages/loader/src/types/options.ts',
    'packages/server/src/companion/options.ts',
  ].flatMap((file) => [...read(file).matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)])
  return [...new Set([...codes, ...variables, ...options].map(([, word = '']) => word))]
}

test('search finds every error code, option and variable, without a network', async ({ page, site }) => {
  test.setTimeout(600_000)
  await open(page, site.url)
  await page.getByRole('button', { name: 'Search' }).click()
  const box = page.getByRole('searchbox').or(page.locator('#localsearch-input'))
  const lost: string[] = []
  const words = wordsToFind()
  for (const word of words) {
    await box.fill(word)
    const hit = page.locator('.results .result').filter({ hasText: new RegExp(word, 'i') })
    const found = await hit
      .first()
      .waitFor({ timeout: 3_000 })
      .then(
        () => true,
        () => false,
      )
    if (!found) lost.push(word)
  }
  expect(words.length).toBeGreaterThan(60)
  expect(lost).toEqual([])
  recordFigure(
    'documentation: error codes, options and variables that search does not find',
    `0 of ${words.length}`,
  )
})

test('no page misses a picture or a script', async ({ page, site }) => {
  test.setTimeout(600_000)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  for (const path of sitePages()) {
    await open(page, site.url + path)
    const missing = await page
      .locator('img')
      .evaluateAll((all) =>
        (all as HTMLImageElement[])
          .filter((image) => image.loading !== 'lazy' && image.naturalWidth === 0)
          .map(({ src }) => src),
      )
    complaints.push(...missing)
  }
  expect(complaints).toEqual([])
})

test('each page has a Markdown twin, which llms.txt lists', async ({ request, site }) => {
  const index = await (await request.get(`${site.url}/llms.txt`)).text()
  const guides = sitePages().filter((path) => !path.startsWith('/api') && path !== '/')
  for (const path of guides) {
    expect(index, path).toContain(`${path}.md`)
    const twin = await request.get(`${site.url}${path}.md`)
    expect(twin.status(), path).toBe(200)
  }
  expect(guides.length).toBeGreaterThan(20)
})

declare global {
  interface Window {
    axe: typeof axe
  }
}

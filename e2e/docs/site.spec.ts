// Promise: docs/site
/** The documentation site as visitors see it: accessible to everyone, and searchable offline. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import axe, { type AxeResults } from 'axe-core'
import { recordFigure } from '../../scripts/proof.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The addresses of all pages. */
const sitePages = (): string[] =>
  globSync('**/*.html', { cwd: join(root, 'docs', 'site', 'dist') })
    .filter((file) => file !== '404.html')
    .map((file) => `/${file.replace(/(index)?\.html$/, '')}`)

/** Opens a page and waits for its scripts. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('.VPSwitchAppearance:not([title=""])').first().waitFor({ state: 'attached' })
}

test('every page passes axe in light and dark, fits a phone without broken words in tables, and loads every picture and script', async ({
  page,
}) => {
  test.setTimeout(1_800_000)
  const found: string[] = []
  const wide: string[] = []
  const broken: string[] = []
  page.on('pageerror', ({ message }) => found.push(message))
  const pages = sitePages()
  for (const path of pages) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await open(page, path)
    found.push(...(await missingPictures(page)).map((source) => `${path} ${source}`))
    await page.evaluate(axe.source)
    found.push(...(await violationsOf(page)).map((violation) => `${path} ${violation}`))
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(page.locator('html')).toHaveClass(/dark/)
    found.push(
      ...(await violationsOf(page, 'color-contrast')).map((violation) => `${path} dark ${violation}`),
    )
    await page.setViewportSize({ width: 360, height: 740 })
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(path)
    broken.push(...(await page.evaluate(wordsBrokenInTables)).map((word) => `${path} ${word}`))
  }
  expect(pages.length).toBeGreaterThan(30)
  expect({ found, wide, broken }).toEqual({ found: [], wide: [], broken: [] })
  recordFigure('documentation: pages on which axe finds something, in light or dark', `0 of ${pages.length}`)
})

async function violationsOf(page: Page, ...rules: string[]): Promise<string[]> {
  const run = (only: string[]): Promise<AxeResults> =>
    window.axe.run(document, only.length > 0 ? { runOnly: only } : {})
  const { violations } = await page.evaluate(run, rules)
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** Runs in the page: finds words in tables that break across two lines. */
function wordsBrokenInTables(): string[] {
  const broken: string[] = []
  for (const cell of document.querySelectorAll('td, th')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const { 0: word, index } of `${text.nodeValue}`.matchAll(/[A-Za-z]{3,}/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word)
      }
  }
  return broken
}

const missingPictures = (page: Page): Promise<string[]> =>
  page
    .locator('img')
    .evaluateAll((all) =>
      (all as HTMLImageElement[])
        .filter(({ complete, naturalWidth }) => complete && naturalWidth === 0)
        .map(({ src }) => src),
    )

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

test('search finds every error code, option and variable offline', async ({ page }) => {
  test.setTimeout(1_800_000)
  await open(page, '/')
  await page.getByRole('button', { name: 'Search' }).click()
  const box = page.locator('#localsearch-input')
  const results = page.locator('.results .result')
  const lost: string[] = []
  const words = wordsToFind()
  for (const word of words) {
    await box.fill('')
    await results.first().waitFor({ state: 'detached' })
    await box.fill(word)
    await results.first().waitFor()
    const pages = await results.evaluateAll((all) => (all as HTMLAnchorElement[]).map(({ href }) => href))
    const texts = await Promise.all(pages.map(async (url) => (await fetch(url)).text()))
    if (!texts.some((text) => text.includes(word))) lost.push(word)
  }
  expect(words.length).toBeGreaterThan(60)
  expect(lost).toEqual([])
  recordFigure(
    'documentation: error codes, options and variables that search does not find',
    `0 of ${words.length}`,
  )
})

test('each page has a Markdown twin, which llms.txt lists', async ({ request }) => {
  const index = await (await request.get('/llms.txt')).text()
  const guides = sitePages().filter((path) => !path.startsWith('/api') && path !== '/')
  for (const path of guides) {
    expect(index, path).toContain(`${path}.md`)
    const twin = await request.get(`${path}.md`)
    expect(twin.status(), path).toBe(200)
  }
  expect(guides.length).toBeGreaterThan(20)
})

declare global {
  interface Window {
    axe: typeof axe
  }
}

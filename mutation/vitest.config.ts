/** What mutants are tried against: the test files that MUTATION_TESTS names, of the copy that Stryker makes; in the page of MUTATION_PAGE. */
import { join, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { merchant } from '../packages/loader/test/browser/merchant.ts'
import { onPage } from '../packages/react/test/projects.ts'
import { inChromium } from '../scripts/inChromium.ts'

const copy = join(import.meta.dirname, '..')
const react = onPage(['19', ''])
const pages = {
  '': { root: copy },
  loader: { root: copy, plugins: [merchant()], test: { browser: inChromium() } },
  // Its pages import the built loader, which lies outside of the copy.
  react: { ...react, cacheDir: join(copy, '.cache/vite'), server: { fs: { strict: false } } },
}
const page = pages[(process.env.MUTATION_PAGE ?? '') as keyof typeof pages]
const tests: string[] = JSON.parse(process.env.MUTATION_TESTS ?? '[]')

export default defineConfig({
  ...page,
  test: {
    ...('test' in page && { browser: page.test?.browser }),
    include: tests.map((file) => relative(page.root ?? copy, join(copy, file))),
    testTimeout: Number(process.env.MUTATION_SECONDS ?? 40) * 1_000,
    hookTimeout: 60_000,
    // Many changes are noticed by what never comes. Run this on a machine that does nothing else.
    expect: { poll: { timeout: process.env.MUTATION_PAGE ? 8_000 : 20_000 } },
  },
})

/** The tests to run against mutants: the files in MUTATION_TESTS, in Stryker's copy of the repository, and in the page of MUTATION_PAGE. */
import { join, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { merchant } from '../packages/loader/test/browser/merchant.ts'
import { onPage } from '../packages/react/test/projects.ts'
import { inChromium } from '../scripts/inChromium.ts'

const copy = join(import.meta.dirname, '..')
/** A merchant's page in a frame breaks the same place as the test's own page. */
const sameMutant = 'try { globalThis.__stryker__ ??= parent.__stryker__ } catch {}\n'
const react = onPage(['19', ''])
const pages = {
  '': { root: copy },
  loader: { root: copy, plugins: [merchant(sameMutant)], test: { browser: inChromium() } },
  // Its pages import the built loader, which is outside the copy.
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
    // Many mutations show only as a timeout. Run this on an otherwise idle machine.
    expect: { poll: { timeout: process.env.MUTATION_PAGE ? 8_000 : 20_000 } },
  },
})

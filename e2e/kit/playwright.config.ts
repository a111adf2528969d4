/** Runs a merchant's own tests in each installed engine, for evidence a hundred times each; also builds, starts and buys in each example. */
import { defineConfig, type Project } from '@playwright/test'
import { chromiumLaunch, firefoxLaunch, webkitPrograms } from '../../scripts/browsers.ts'
import { full, proofRuns } from '../../scripts/proof.ts'
import { writeRecipes } from './recipes.ts'

const chromium = chromiumLaunch()
const { channel, ...firefox } = firefoxLaunch() ?? {}

// Otherwise Playwright loses track of cross-site frames, and of pages restored from the back/forward cache.
const firefoxUserPrefs = {
  'fission.webContentIsolationStrategy': 0,
  'browser.sessionhistory.max_total_viewers': 0,
}

const engines: (Project & { isHere: boolean })[] = [
  {
    name: 'firefox',
    isHere: channel !== undefined,
    testMatch: 'merchant.spec.ts',
    use: { browserName: 'firefox', channel, launchOptions: { ...firefox, firefoxUserPrefs } },
  },
  { name: 'webkit', isHere: webkitPrograms() !== null, testMatch: 'webkit.spec.ts' },
  {
    name: 'recipes',
    isHere: chromium !== null,
    testDir: writeRecipes(),
    repeatEach: 1,
    use: { launchOptions: chromium ?? {} },
  },
  {
    name: 'examples',
    isHere: chromium !== null,
    testDir: '../examples',
    repeatEach: 1,
    // A build is slow on a small machine.
    workers: 2,
    use: { launchOptions: chromium ?? {} },
  },
]
if (full)
  // It creates its own network namespaces, which not every machine allows.
  engines.push({ name: 'network', isHere: chromium !== null, testMatch: 'network.spec.ts', repeatEach: 1 })

export default defineConfig({
  outputDir: '../../.cache/kit',
  fullyParallel: true,
  workers: 3,
  repeatEach: proofRuns(100, 1),
  // An overloaded machine can take a minute for a step of one second.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  projects: engines
    .filter(({ name, isHere }) => {
      if (!isHere) console.warn(`${name} is not installed: a merchant's tests do not run in it.`)
      return isHere || process.env.ENGINES === 'all'
    })
    .map(({ isHere, ...project }) => project),
})

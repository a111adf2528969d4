// Promise: outside/quickstart
/**
 * Follows the start pages to the letter, each in an empty folder with an empty home, up to one declined and one delivered
 * purchase.
 *
 *     node scripts/test.ts --evidence quickstart            all of them
 *     node scripts/test.ts --evidence quickstart express    one
 *
 * The packages are not published: a local registry serves them as if they were.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Browser } from '@playwright/test'
import { createBuyer } from '@purchase-widget/sandbox/playwright'
import { startChromium } from '../../scripts/browsers.ts'
import { recordFigure } from '../../scripts/proof.ts'
import { pack } from '../../scripts/run.ts'
import { add, none, oneFailure, type Tally } from '../../scripts/tally.ts'
import { buyWith, declineWith } from './buy.ts'
import { startRegistry } from './registry.ts'
import { type Followed, followStartPage } from './startPage.ts'

interface Start {
  /** The output of the shop's server once it is ready. */
  answers: string
  buy: (browser: Browser, followed: Followed) => Promise<void>
}

const starts: Record<string, Start> = {
  express: { answers: 'http://localhost:3000', buy: buyAt('http://localhost:3000', 'link') },
  nextjs: { answers: 'Ready in', buy: buyAt('http://localhost:3000', 'button') },
  'vite-hono': { answers: 'Local:', buy: buyAt('http://localhost:5173', 'button') },
  mobile: { answers: 'http://localhost:3000', buy: buyFromApp },
}

const root = join(import.meta.dirname, '..', '..')
const site = mkdtempSync(join(tmpdir(), 'quickstart-'))

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(starts)
const browser = await startChromium()
const tarballs = join(site, 'tarballs')
pack(tarballs)
const registry = await startRegistry(tarballs)
let tally: Tally = none
try {
  for (const name of chosen) tally = add(tally, await tried(name))
  const report = join(root, '.cache', 'test', 'quickstart.json')
  mkdirSync(dirname(report), { recursive: true })
  writeFileSync(report, JSON.stringify(tally))
} finally {
  await browser.close()
  await registry.close()
  rmSync(site, { recursive: true, force: true })
}
process.exitCode = tally.failed

async function tried(name: string): Promise<Tally> {
  const start = starts[name]
  if (!start)
    throw new Error(`There is no start page "${name}". There are: ${Object.keys(starts).join(', ')}.`)
  const began = Date.now()
  try {
    await follow(`docs/start-${name}.md`, start, join(site, name))
  } catch (error) {
    console.error(`${name}:`, error)
    return oneFailure(`docs/start-${name}.md`)
  }
  const minutes = ((Date.now() - began) / 60_000).toFixed(1)
  console.log(`${name}: a declined purchase and a delivered one in ${minutes} minutes.`)
  recordFigure(`docs/start-${name}.md to the letter: minutes to a declined and a delivered purchase`, minutes)
  return { ...none, passed: 1 }
}

async function follow(page: string, { answers, buy }: Start, folder: string): Promise<void> {
  const env = { HOME: emptyHome(join(folder, 'home')) }
  const shop = join(folder, 'work')
  mkdirSync(shop)
  const followed = await followStartPage(page, shop, env, (output) => output.includes(answers))
  try {
    await buy(browser, followed)
  } finally {
    for (const program of [...followed.running].reverse()) await program.stop()
  }
}

/** Makes a declined and a paid purchase in a web shop, then gets the webhook address from the doctor. */
function buyAt(url: string, click: 'link' | 'button'): Start['buy'] {
  return async (browser, { running, remaining, widgetUrl, type }) => {
    const visit = {
      name: url,
      url,
      sale: { click },
      output: () => running.map(({ output }) => output()).join(''),
    } as const
    // A development server compiles a route on its first request, which exceeds a shopper's timeout on a busy machine.
    const companion = await fetch(`${url}/api/purchase-widget/purchase-widget.js`)
    if (!companion.ok) throw new Error(`The companion answers ${companion.status}:\n${visit.output()}`)
    await declineWith(browser, widgetUrl)(visit)
    await buyWith(browser, widgetUrl)(visit)
    const printed = await type(`${remaining[0]}`)
    if (!printed.includes('/api/purchase-widget/webhook/'))
      throw new Error(`The doctor does not print the webhook's address:\n${printed}`)
  }
}

/** The app of docs/start-mobile.md: curl requests the link, a phone-sized browser is its webview. The server must report a decline and a sale. */
async function buyFromApp(browser: Browser, { remaining, widgetUrl, type }: Followed): Promise<void> {
  const [askForLink = '', askHowItEnded = ''] = remaining
  for (const expected of ['failed', 'complete']) {
    const { purchaseId, launchUrl } = JSON.parse(await type(askForLink))
    const webview = await browser.newPage({ viewport: { width: 390, height: 844 } })
    // The return address, which the app would intercept, is unreachable here.
    const returned = webview.waitForRequest((request) => request.url().includes(`/return/${purchaseId}`))
    await webview.goto(launchUrl)
    const buyer = createBuyer(webview, widgetUrl)
    if (expected === 'complete') await buyer.pay()
    else {
      await buyer.decline('4004')
      await webview.getByRole('link', { name: 'Return to shop' }).click()
    }
    await returned
    await webview.close()
    const answer = await type(askHowItEnded.replace('PURCHASE_ID', purchaseId))
    if (JSON.parse(answer).status !== expected) throw new Error(`Not ${expected}: ${answer}`)
  }
}

/** Empty except for the settings to reach the registry, and the registry of our scope. */
function emptyHome(home: string): string {
  mkdirSync(home, { recursive: true })
  const cafile = process.env.NODE_EXTRA_CA_CERTS ?? npmSetting('cafile')
  const lines = [
    `registry=${npmSetting('registry')}`,
    `@purchase-widget:registry=${registry.url}`,
    ...(cafile === 'null' ? [] : [`cafile=${cafile}`]),
  ]
  writeFileSync(join(home, '.npmrc'), `${lines.join('\n')}\n`)
  return home
}

function npmSetting(name: string): string {
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  return execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', stdio: [...stdio] }).trim()
}

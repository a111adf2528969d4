import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, FrameLocator, Locator, Page } from '@playwright/test'
import type { Key, Shopper, ShopperOptions, Tab, Target, View } from '../scenarios/driver.ts'

const waiting = { timeout: 20_000 }

export async function playwrightShopper(
  engine: 'chromium' | 'firefox',
  browser: Browser,
  { viewport = { width: 1280, height: 900 }, colorScheme, forcedColors }: ShopperOptions = {},
): Promise<Shopper> {
  const context = await browser.newContext({
    viewport,
    ...(colorScheme && { colorScheme }),
    ...(forcedColors && { forcedColors: 'active' }),
  })
  context.setDefaultNavigationTimeout(30_000)
  const tabs = new WeakMap<Page, Tab>()
  const tabOf = (page: Page): Tab => {
    const tab = tabs.get(page) ?? toTab(page)
    tabs.set(page, tab)
    return tab
  }
  return {
    engine,
    tabs: async () => context.pages().map(tabOf),
    async visit(url) {
      for (const page of context.pages()) if (killed.has(page)) await page.close()
      const page = context.pages()[0] ?? (await context.newPage())
      await page.goto(url)
      return tabOf(page)
    },
    close: () => context.close(),
  }
}

function toTab(page: Page): Tab {
  return {
    page: toView(page, page, async () => page.mainFrame()),
    frame: (css) =>
      toView(page, page.frameLocator(css).first(), async () => {
        const element = await page.locator(css).first().elementHandle(waiting)
        return (await element?.contentFrame()) ?? null
      }),
    url: async () => page.url(),
    reload: async () => void (await page.reload()),
    kill: () => kill(page),
    // A page from the back/forward cache does not load again, so there is no load event to wait for.
    back: async () => void (await page.goBack({ waitUntil: 'commit' })),
    forward: async () => void (await page.goForward({ waitUntil: 'commit' })),
    toFront: () => page.bringToFront(),
    close: () => answered(page.close()),
    screenshot: () => page.screenshot(),
  }
}

/** Playwright refuses to navigate a crashed page, even after it has been reloaded. */
const killed = new WeakSet<Page>()

async function kill(page: Page): Promise<boolean> {
  if (page.context().browser()?.browserType().name() !== 'chromium') return false
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  // A crashing page does not respond to this command.
  session.send('Page.crash').catch(() => {})
  await crashed
  killed.add(page)
  await session.send('Page.reload')
  return true
}

type Frame = ReturnType<Page['mainFrame']>

function toView(page: Page, scope: Page | FrameLocator, frame: () => Promise<Frame | null>): View {
  const find = (target: Target): Locator => locate(scope, target).first()
  return {
    click: (target) => find(target).click(waiting),
    fill: (target, text) => find(target).fill(text, waiting),
    press: (key: Key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    text: (target) => ifThere(find(target), (element) => element.textContent(brief)),
    attribute: (target, name) => ifThere(find(target), (element) => element.getAttribute(name, brief)),
    count: (css) => scope.locator(css).count(),
    async evaluate<Result, Argument>(
      run: (argument: Argument) => Result | Promise<Result>,
      argument?: Argument,
    ) {
      const document = await frame()
      if (!document) throw new Error('The frame is gone.')
      return document.evaluate<Result, unknown>(run as (argument: unknown) => Result, argument)
    },
    async runScript(source) {
      const document = await frame()
      if (!document) throw new Error('The frame is gone.')
      await document.evaluate(`{${source}}`)
    },
  }
}

const brief = { timeout: 1_000 }

/** Some Playwright calls have no timeout, and a page that is navigating away may never respond. */
async function answered<T>(work: Promise<T>): Promise<T> {
  const limit = new AbortController()
  const late = sleep(5_000, undefined, { signal: limit.signal }).then(() => {
    throw new Error('The page did not answer within 5 s.')
  })
  return Promise.race([work, late]).finally(() => limit.abort())
}

/** Returns the result of `read` for an element, or null when the element, its frame or its page is gone. */
async function ifThere<T>(element: Locator, read: (element: Locator) => Promise<T>): Promise<T | null> {
  try {
    return (await answered(element.count())) === 0 ? null : await read(element)
  } catch {
    return null
  }
}

function locate(scope: Page | FrameLocator, target: Target): Locator {
  if ('button' in target) return scope.getByRole('button', { name: beginsWith(target.button) })
  if ('link' in target) return scope.getByRole('link', { name: beginsWith(target.link) })
  if ('label' in target) return scope.getByLabel(target.label, { exact: true })
  if ('radio' in target) {
    const group = scope
      .getByRole('group', { name: target.group })
      .or(scope.getByRole('radiogroup', { name: target.group }))
    return group.getByRole('radio', { name: target.radio, exact: true })
  }
  return scope.locator(target.css)
}

const beginsWith = (name: string): RegExp => new RegExp(`^\\s*${name.replace(/[^\w\s]/g, '\\$&')}`, 'i')

import { error, Key as Keys, type WebDriver, type WebElement } from 'selenium-webdriver'
import type { Key, Shopper, ShopperOptions, Tab, Target, View } from '../scenarios/driver.ts'
import { findInPage } from './findInPage.ts'

const timeoutMs = 20_000

export async function webdriverShopper(
  driver: WebDriver,
  { viewport = { width: 1280, height: 900 } }: ShopperOptions = {},
): Promise<Shopper> {
  await driver
    .manage()
    .window()
    .setRect({ x: 0, y: 0, ...viewport })
  const first = await driver.getWindowHandle()
  const tabs = new Map<string, Tab>()
  const tabOf = (handle: string): Tab => {
    const tab = tabs.get(handle) ?? toTab(driver, handle)
    tabs.set(handle, tab)
    return tab
  }
  return {
    engine: 'webkit',
    tabs: async () => (await driver.getAllWindowHandles()).map(tabOf),
    async visit(url) {
      await driver.switchTo().window(first)
      await anew(driver, () => driver.get(url))
      return tabOf(first)
    },
    close: () => driver.quit(),
  }
}

function toTab(driver: WebDriver, handle: string): Tab {
  const here = async (): Promise<WebDriver> => {
    await driver.switchTo().window(handle)
    return driver
  }
  return {
    page: toView(driver, here),
    frame: (css) =>
      toView(driver, async () => {
        await here()
        const frame = await findOne(driver, { css })
        if (!frame) throw new error.NoSuchFrameError(`There is no frame at ${css}.`)
        // As a person would: to click in a frame, WebKit's driver scrolls the frame but not the page around it.
        await driver.executeScript("arguments[0].scrollIntoView({ block: 'nearest' })", frame)
        await driver.switchTo().frame(frame)
      }),
    url: async () => (await here()).getCurrentUrl(),
    reload: async () => anew(await here(), () => driver.navigate().refresh()),
    kill: async () => false,
    back: async () => (await here()).navigate().back(),
    forward: async () => (await here()).navigate().forward(),
    toFront: async () => void (await here()),
    close: () => unlessGone(async () => (await here()).close()),
    screenshot: async () => null,
  }
}

/**
 * Loads a document, and waits until it has fully replaced the previous one: module scripts run after the document is
 * readable.
 */
async function anew(driver: WebDriver, load: () => Promise<void>): Promise<void> {
  await driver.executeScript('document.documentElement.left = true')
  await load()
  const arrived = 'return !document.documentElement.left && document.readyState === "complete"'
  await driver.wait(() => driver.executeScript<boolean>(arrived).catch(() => false), timeoutMs)
}

/** Ignores that a window may already have closed itself. */
async function unlessGone(close: () => Promise<void>): Promise<void> {
  try {
    await close()
  } catch (reason) {
    if (!(reason instanceof error.NoSuchWindowError)) throw reason
  }
}

/** WebDriver has one current document for the whole session, so each step first switches to its own. */
function toView(driver: WebDriver, enter: () => Promise<unknown>): View {
  const find = async (target: Target): Promise<WebElement | null> => {
    await enter()
    return findOne(driver, target)
  }
  const whenReady = (target: Target, act: (element: WebElement) => Promise<void>): Promise<void> =>
    retry(target, async () => {
      const element = await find(target)
      if (!element) return false
      await act(element)
      return true
    })

  return {
    click: (target) => whenReady(target, (element) => element.click()),
    fill: (target, text) =>
      whenReady(target, async (element) => {
        await element.click()
        await driver.executeScript(enterText, element, text)
      }),
    async press(key) {
      await enter()
      await driver.actions().sendKeys(keys[key]).perform()
    },
    async type(text) {
      await enter()
      await driver.actions().sendKeys(text).perform()
    },
    text: (target) => ifThere(find(target), (element) => property(driver, element, 'textContent')),
    attribute: (target, name) => ifThere(find(target), (element) => element.getDomAttribute(name)),
    async count(css) {
      await enter()
      return (await driver.executeScript<WebElement[]>(findInPage, { css })).length
    },
    async evaluate<Result, Argument>(
      run: (argument: Argument) => Result | Promise<Result>,
      argument?: Argument,
    ) {
      await enter()
      const answer = await driver.executeAsyncScript<{ value: Result } | { error: string }>(
        `const done = arguments[arguments.length - 1]
         Promise.resolve().then(() => (${run})(arguments[0]))
           .then((value) => done({ value }), (error) => done({ error: String(error) }))`,
        argument ?? null,
      )
      if ('error' in answer) throw new Error(answer.error)
      return answer.value
    },
    async runScript(source) {
      await enter()
      await driver.executeScript(source)
    },
  }
}

const keys: Record<Key, string> = {
  Tab: Keys.TAB,
  'Shift+Tab': Keys.chord(Keys.SHIFT, Keys.TAB),
  Enter: Keys.ENTER,
  Escape: Keys.ESCAPE,
  Space: Keys.SPACE,
}

async function findOne(driver: WebDriver, target: Target): Promise<WebElement | null> {
  const [element] = await driver.executeScript<WebElement[]>(findInPage, target)
  return element ?? null
}

/** In one step, as Playwright does, since WebKit's driver takes up to half a second per key in a frame on a busy machine. */
const enterText = `
  const [field, text] = arguments
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, text)
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }))`

const property = (driver: WebDriver, element: WebElement, name: string): Promise<string | null> =>
  driver.executeScript('return arguments[0][arguments[1]]', element, name)

/** Retries until it works: a target that is not there yet, moves, or has just disappeared may be available shortly. */
async function retry(target: Target, attempt: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + timeoutMs
  let last: unknown
  while (Date.now() < deadline) {
    try {
      if (await attempt()) return
    } catch (reason) {
      if (!(reason instanceof error.WebDriverError)) throw reason
      last = reason
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${JSON.stringify(target)} could not be used within ${timeoutMs / 1000} s.`, {
    cause: last,
  })
}

async function ifThere<T>(
  found: Promise<WebElement | null>,
  read: (element: WebElement) => Promise<T | null>,
): Promise<T | null> {
  try {
    const element = await found
    return element && (await read(element))
  } catch (reason) {
    if (reason instanceof error.WebDriverError) return null
    throw reason
  }
}

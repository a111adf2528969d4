/** WebKit through WebDriver: WebKitGTK's own driver and browser, in a separate display. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver'
import { type WebKitPrograms, webkitPrograms } from '../../scripts/browsers.ts'
import { freePort } from '../../scripts/processes.ts'
import type { Engine, ShopperOptions } from '../scenarios/driver.ts'
import { webdriverShopper } from './shopper.ts'

/** Starts WebKit, or returns null when it is not installed. */
export async function startWebKit(): Promise<Engine | null> {
  const programs = webkitPrograms()
  if (!programs) return null
  const display = await startDisplay(programs.xvfb)
  return {
    name: 'webkit',
    async newShopper(options) {
      const { session, driver } = await startSession(programs, display.name, options)
      const shopper = await webdriverShopper(session, options)
      return {
        ...shopper,
        async close() {
          await shopper.close()
          await stop(driver)
        },
      }
    },
    close: () => stop(display.process),
  }
}

interface Session {
  session: WebDriver
  driver: ChildProcess
}

/**
 * Starts a driver for each shopper, since a driver supports one session at a time. In 1 of 200 starts on a busy machine a driver never
 * found its browser, for an unknown reason: another one is then started before the scenario begins.
 */
async function startSession(
  programs: WebKitPrograms,
  display: string,
  options?: ShopperOptions,
): Promise<Session> {
  for (let left = 2; ; left--) {
    const port = await freePort()
    const driver = spawn(programs.driver, [`--port=${port}`], {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', WEBKIT_DISABLE_DMABUF_RENDERER: '1' },
    })
    const server = `http://127.0.0.1:${port}`
    await reachable(`${server}/status`, driver)
    const session = await within(20_000, newSession(server, programs.browser, options)).catch(
      async (cause) => {
        await stop(driver)
        throw cause
      },
    )
    if (session) return { session, driver }
    await stop(driver)
    if (left === 0) throw new Error('WebKitWebDriver started three times, and found its browser in none.')
    console.warn('WebKitWebDriver gave no session in 20 s; another one is started.')
  }
}

/** Resolves to the promise's value, or to null after `ms` milliseconds. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  const timer = new AbortController()
  const late = setTimeout(ms, null, { signal: timer.signal }).catch(() => null)
  // After the timeout, a rejection must not be unhandled.
  promise.catch(() => {})
  return Promise.race([promise, late]).finally(() => timer.abort())
}

function newSession(
  server: string,
  binary: string,
  { colorScheme }: ShopperOptions = {},
): Promise<WebDriver> {
  const args = ['--automation', ...(colorScheme === 'dark' ? ['--dark-mode'] : [])]
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    // Otherwise each command waits for every frame of the page, even one that never responds.
    pageLoadStrategy: 'none',
    'webkitgtk:browserOptions': { binary, args },
  })
  return new Builder().usingServer(server).withCapabilities(capabilities).build()
}

/** Xvfb picks a free display itself, and writes its number to the given file descriptor. */
async function startDisplay(xvfb: string): Promise<{ name: string; process: ChildProcess }> {
  const args = ['-displayfd', '3', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp']
  const process = spawn(xvfb, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const numbers = process.stdio[3]
  if (!numbers) throw new Error('Xvfb has no pipe to say its display on.')
  const [number] = await once(numbers, 'data')
  return { name: `:${String(number).trim()}`, process }
}

/** Waits until the driver responds. A response comes from the driver only while its process runs, since it exits when its port is taken. */
async function reachable(url: string, driver: ChildProcess): Promise<void> {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    const answer = await fetch(url).catch(() => null)
    if (hasEnded(driver)) throw new Error('WebKitWebDriver ended before it answered.')
    if (answer) return
    await setTimeout(50)
  }
  throw new Error('WebKitWebDriver did not start within 10 seconds.')
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function stop(process: ChildProcess): Promise<void> {
  if (hasEnded(process)) return
  process.kill()
  await once(process, 'exit')
}

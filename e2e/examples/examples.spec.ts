// Promise: docs/examples
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { test } from '@purchase-widget/sandbox/playwright'
import { environmentOf } from '../../packages/sandbox/src/environment.ts'
import { answers, type Environment, freePort, type Running, run, start } from '../../scripts/processes.ts'

/** Whether the page shows the widget immediately or after a click. */
const examples = [
  { name: 'vite-spa', companion: 'server-node', opens: 'at once' },
  { name: 'nextjs', companion: null, opens: 'after a click' },
  { name: 'react-router', companion: null, opens: 'after a click' },
  { name: 'vue', companion: 'server-node', opens: 'at once' },
  { name: 'svelte', companion: 'server-node', opens: 'after a click' },
]

for (const { name, companion, opens } of examples) {
  test(`${name} builds without secrets, and sells one item`, async ({ page, sandbox, buyer }) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    const [port, companionPort] = await Promise.all([freePort(), freePort()])
    const [url, companionUrl] = [`http://localhost:${port}`, `http://localhost:${companionPort}`]
    const folder = await mkdtemp(join(tmpdir(), 'example-'))
    const env = {
      ...environmentOf(sandbox),
      PURCHASE_COMPANION_URL: `${url}/api/purchase-widget`,
      DATABASE: join(folder, 'shop.sqlite'),
      SESSION_SECRET: 'the secret of the shop, with 32 characters',
    }
    const running: Running[] = []
    try {
      if (companion) running.push(await serve(companion, companionUrl, env))
      await run('npm', ['run', '--silent', 'build'], placeOf(name, {}))
      const ofPages: Environment = companion ? { COMPANION: companionUrl } : env
      running.push(await serve(name, url, ofPages, companion ? ['--port', String(port)] : []))
      await page.goto(url)
      if (!companion) await hydrated(page)
      if (opens === 'after a click') await page.getByRole('button', { name: 'Buy' }).click()
      await buyer.pay()
      const status = page.getByRole('status').filter({ hasText: 'complete' })
      await expect(status).toHaveText(/^Order \w+ is complete\.$/)
      await expect.poll(running[0]?.output ?? String).toMatch(/Deliver gold-100 for order \w+\./)
      expect(complaints).toEqual([])
    } catch (error) {
      // Shows whether the page or the server caused the failure.
      console.error([name, ...complaints, ...running.map(({ output }) => output())].join('\n'))
      throw error
    } finally {
      await Promise.all(running.map(({ stop }) => stop()))
      await rm(folder, { recursive: true, force: true })
    }
  })
}

/** Runs the example's `start` script, and waits until it responds. */
const serve = (example: string, url: string, env: Environment, args: string[] = []): Promise<Running> =>
  start(
    'npm',
    ['run', '--silent', 'start', '--', ...args],
    placeOf(example, { PORT: new URL(url).port, ...env }),
    () => answers(url),
  )

function placeOf(example: string, env: Environment): { cwd: string; env: Environment } {
  const root = join(import.meta.dirname, '../..')
  const cwd = join(root, 'examples', example)
  const bins = [cwd, root].map((folder) => join(folder, 'node_modules/.bin'))
  const { PATH = '', HOME = '' } = process.env
  return {
    cwd,
    env: { HOME, NEXT_TELEMETRY_DISABLED: '1', PATH: [...bins, PATH].join(delimiter), ...env },
  }
}

/** Waits for hydration: a server-rendered button does nothing until React attaches its properties to it. */
async function hydrated(page: Page): Promise<void> {
  const isTaken = (): Promise<boolean> =>
    page
      .getByRole('button', { name: 'Buy' })
      .evaluate((button) => Object.keys(button).some((key) => key.startsWith('__reactProps')))
  await expect.poll(isTaken, 'React has the button').toBe(true)
}

/** The Playwright fixture, run by Playwright itself. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('the Playwright fixture starts a sandbox per worker and resets it before each test', async () => {
  const playwright = join(import.meta.dirname, '../node_modules/.bin/playwright')
  const config = join(import.meta.dirname, 'playwright/playwright.config.ts')
  const { stdout } = await promisify(execFile)(playwright, ['test', '--config', config])
  expect(JSON.parse(stdout).stats).toMatchObject({ expected: 3, unexpected: 0, skipped: 0, flaky: 0 })
}, 300_000)

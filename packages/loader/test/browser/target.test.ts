// Promise: launch/server-decides
/** The address of an opening, from what the companion or the merchant's own function returns. */
import { expect, onTestFinished, test, vi } from 'vitest'
import type { PurchaseWidgetOptions } from '../../src/index.ts'
import { parseOptions } from '../../src/opening/options.ts'
import { takeTarget } from '../../src/opening/target.ts'
import { createCompanion } from './page.ts'

const targetOf = async (options: PurchaseWidgetOptions) => takeTarget(parseOptions(options), 'modal', false)

test('the widget’s address has the language only if one was given', async () => {
  const { url: companion } = await createCompanion()
  const localeOf = async (more: object): Promise<string | null> =>
    new URL((await targetOf({ companion, pageToken: true, ...more })).url).searchParams.get('locale')
  expect(await localeOf({ locale: 'de' })).toBe('de')
  expect(await localeOf({})).toBeNull()
})

test('requests to the companion are JSON, which a form on another site cannot send', async () => {
  const { url: companion } = await createCompanion()
  const fetched = vi.spyOn(window, 'fetch')
  onTestFinished(() => fetched.mockRestore())
  await targetOf({ companion })
  expect(fetched.mock.lastCall?.[1]).toMatchObject({
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
  })
})

test.each(['javascript:alert(1)', 'http://elsewhere.example/launch'])(
  'a launch address such as %s is rejected',
  async (launchUrl) => {
    const purchaseId = 'AbCdEfGhIjKlMnOpQrSt_-'
    const tokenBody = JSON.stringify({ purchaseId, launchUrl, widgetOrigin: 'https://widget.example' })
    const { url: companion } = await createCompanion({ tokenBody })
    await expect(targetOf({ companion })).rejects.toMatchObject({ code: 'invalid_options' })
  },
)

test('the error of a token function is the cause of the loader’s own error', async () => {
  const cause = new Error('no session')
  const accessToken = (): never => {
    throw cause
  }
  await expect(targetOf({ widgetUrl: 'https://widget.example', accessToken })).rejects.toMatchObject({
    code: 'token_failed',
    cause,
  })
})

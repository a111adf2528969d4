// Promise: token/once-per-opening
/** How many tokens are requested, and for how long a preloaded frame is shown. */
import { expect, onTestFinished, test, vi } from 'vitest'
import type { WidgetError } from '../../src/index.ts'
import { isOfWidget } from '../../src/surfaces/surface.ts'
import {
  addContainer,
  button,
  createCompanion,
  drawn,
  earlyFrame,
  find,
  frames,
  frameWindow,
  makeWidget,
  reaches,
  record,
  type TestCompanion,
  watchLinks,
  watchWindows,
} from './page.ts'

const tokensOf = async (companion: TestCompanion): Promise<number> => (await companion.state()).tokens

/** Advances the page's clock by minutes, and nothing else. */
function passMinutes(minutes: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
  onTestFinished(() => void vi.useRealTimers())
}

test('each opening requests a token, opens its ticket once, and shows what was granted for it', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url })
  const messages = record(widget, 'message')
  for (const shopper of ['alice', 'bob']) {
    await companion.set({ params: { custom_id: shopper } })
    const result = widget.open()
    await reaches(widget, 'loaded')
    frameWindow().postMessage({ ask: 'query' }, '*')
    await expect.poll(() => messages.pop()?.data).toContain(`custom_id=${shopper}`)
    widget.close()
    expect(await result).toEqual({ status: 'closed' })
  }
  expect(await companion.state()).toMatchObject({ tokens: 2, launches: 2 })
})

// Promise: token/early
test('a preloaded frame can be shown for ten minutes, and only once', async () => {
  // Long enough for the test to find the shell before the frame loads in it.
  const companion = await createCompanion({ tokenDelay: 1_000 })
  const widget = makeWidget({ companion: companion.url, container: addContainer(), preload: 'eager' })
  const early = await earlyFrame()
  passMinutes(11)
  const result = widget.open()
  await drawn()
  expect(early?.isConnected).toBe(false)
  await reaches(widget, 'loaded')
  expect(frames()).toHaveLength(1)
  expect(await tokensOf(companion)).toBe(2)
  widget.close()
  await result
  widget.open()
  await reaches(widget, 'loaded')
  expect(await tokensOf(companion)).toBe(3)
})

test('a preloaded frame whose token is about to expire is replaced', async () => {
  const companion = await createCompanion({ expiresIn: 30, tokenDelay: 1_000 })
  const placed = { container: addContainer(), preload: 'eager' } as const
  const widget = makeWidget({ companion: companion.url, pageToken: true, ...placed })
  const early = await earlyFrame()
  widget.open()
  await drawn()
  expect(early?.isConnected).toBe(false)
  await reaches(widget, 'loaded')
  expect(await tokensOf(companion)).toBe(2)
})

test('a preloaded frame is shown even when the minute of its ticket has passed', async () => {
  // Long enough for the test to find the shell before the frame loads in it.
  const companion = await createCompanion({ tokenDelay: 1_000 })
  // With these headers, no link replaces the ticket.
  const headers = { authorization: 'Bearer ada' }
  const placed = { container: addContainer(), preload: 'eager' } as const
  const widget = makeWidget({ companion: companion.url, headers, ...placed })
  const early = await earlyFrame()
  passMinutes(9)
  widget.open()
  await reaches(widget, 'loaded')
  expect(frames()).toEqual([early])
  expect(await tokensOf(companion)).toBe(1)
})

/** The error of a failed opening that the shopper cancels. */
async function failureOf(tokenStatus: number, tokenBody: string): Promise<WidgetError> {
  const { url } = await createCompanion({ tokenStatus, tokenBody })
  const widget = makeWidget({ companion: url })
  const errors = record(widget, 'error')
  const opened = widget.open()
  await expect.poll(() => errors.length).toBe(1)
  button('Cancel').click()
  const result = await opened
  if (result.status !== 'error') throw new Error(`The opening ended with ${result.status}.`)
  expect(errors).toEqual([result.error])
  return result.error
}

// Promise: token/refusal-words
test('the error of a refusal quotes the companion’s own message, truncated', async () => {
  const refusal = { code: 'forbidden_origin', message: 'Add its origin to `allowedOrigins`.' }
  const error = await failureOf(403, JSON.stringify({ error: refusal }))
  expect(error).toMatchObject({
    code: 'token_failed',
    recoverable: true,
    companion: { status: 403, ...refusal },
  })
  expect(error.message).toContain('POST /launch: 403 forbidden_origin. Add its origin to `allowedOrigins`.')
  const long = { code: 'internal_error', message: 'x'.repeat(10_000) }
  const { message } = await failureOf(500, JSON.stringify({ error: long }))
  expect(message).toMatch(/^POST \/launch: 500 internal_error\. x+ Check your server\.$/)
  expect(message.length).toBeLessThan(600)
})

test('a refusal for the shopper is shown to the shopper as plain text, truncated', async () => {
  const sentence = '<b>Sold out</b> until Monday.'
  const refusalOf = (message: string): string =>
    JSON.stringify({ error: { code: 'purchase_refused', message } })
  const companion = await createCompanion({ tokenStatus: 403, tokenBody: refusalOf(sentence) })
  const widget = makeWidget({ companion: companion.url })
  const opened = widget.open()
  await expect.poll(() => button('Try again')).toBeTruthy()
  await expect.poll(() => find('p').innerHTML).toBe('&lt;b&gt;Sold out&lt;/b&gt; until Monday.')
  await companion.set({ tokenBody: refusalOf('x'.repeat(10_000)) })
  button('Try again').click()
  await expect.poll(() => find('p').textContent).toMatch(/^x+$/)
  expect(find('p').textContent).toHaveLength(500)
  // The message of any other code is for the developer.
  await companion.set({ tokenBody: refusalOf(sentence).replace('purchase_refused', 'forbidden_origin') })
  button('Try again').click()
  await expect
    .poll(() => find('p').textContent)
    .toBe('The purchase could not be started. You have not been charged.')
  button('Cancel').click()
  expect(await opened).toMatchObject({
    status: 'error',
    error: { companion: { code: 'forbidden_origin' } },
  })
})

const others: [status: number, body: string][] = [
  [502, '<h1>Bad gateway: canary-token</h1>'],
  [503, '{"accessToken":"canary-token"}'],
  [401, '{"error":true,"message":"canary-token"}'],
  [400, '{"error":{"code":{"canary-token":1},"message":["canary-token"]}}'],
  [500, ''],
  [200, 'canary-token'],
  [200, '{"accessToken":"canary-token"'],
  [200, '["canary-token"]'],
  [200, 'null'],
]
test.each(others)('an answer of %i with %s is not quoted', async (status, body) => {
  const error = await failureOf(status, body)
  expect(error.code).toBe('token_failed')
  if (status !== 200) expect(error.message).toBe(`POST /launch: ${status}. Check your server.`)
  expect(`${error.message} ${error.stack} ${error.cause}`).not.toContain('canary')
})

test('after a failure the shopper sees only its message, and can try again', async () => {
  const companion = await createCompanion({ tokenStatus: 503 })
  const widget = makeWidget({ companion: companion.url })
  const result = widget.open()
  await expect
    .poll(() => find('[part=notice]').textContent)
    .toBe('The purchase could not be started. You have not been charged.Try againCancel')
  await companion.set({ tokenStatus: 200 })
  button('Try again').click()
  await reaches(widget, 'loaded')
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
})

test('the console shows a failure when no error listener is registered', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => said.mockRestore())
  const { url } = await createCompanion({ tokenStatus: 503 })
  makeWidget({ companion: url }).open()
  await expect.poll(() => said.mock.calls).toEqual([['token_failed: POST /launch: 503. Check your server.']])
})

test('a token request without an answer fails after loadTimeout', async () => {
  const companion = await createCompanion({ tokenDelay: 5_000 })
  const widget = makeWidget({ companion: companion.url, loadTimeout: 200 })
  const errors = record(widget, 'error')
  widget.open()
  await expect.poll(() => errors.map(({ code }) => code)).toEqual(['token_failed'])
  expect(button('Try again')).toBeTruthy()
})

test('a token that arrives after loadTimeout is ignored', async () => {
  const { widgetUrl } = await createCompanion()
  const give: ((token: string) => void)[] = []
  const widget = makeWidget({
    widgetUrl,
    accessToken: () => new Promise<string>((resolve) => give.push(resolve)),
    container: addContainer(),
    loadTimeout: 300,
  })
  const loads = record(widget, 'load')
  void widget.open()
  await expect.poll(() => button('Try again')).toBeTruthy()
  give[0]?.('late')
  await new Promise((resolve) => setTimeout(resolve))
  expect(frames()).toEqual([])
  button('Try again').click()
  await expect.poll(() => give).toHaveLength(2)
  give[1]?.('second')
  await reaches(widget, 'loaded')
  expect(loads).toHaveLength(1)
  expect(frames()).toHaveLength(1)
})

test('the companion receives what the page requests, and the widget gets only what the companion grants', async () => {
  const companion = await createCompanion({ params: { product_id: 'gold-100', quote_amount: '9.90' } })
  const widget = makeWidget({
    companion: companion.url,
    redirectPage: 'new',
    locale: 'de',
    params: { product_id: 'gold-1', quote_amount: '0.01', email: 'evil@example.com' },
    headers: async () => ({ authorization: 'Bearer session' }),
  })
  const messages = record(widget, 'message')
  widget.open()
  await reaches(widget, 'loaded')
  frameWindow().postMessage({ ask: 'query' }, '*')
  await expect
    .poll(() => messages[0]?.data)
    .toBe('?accessToken=canary-token&product_id=gold-100&quote_amount=9.90')
  expect((await companion.state()).asked).toEqual([
    {
      params: { product_id: 'gold-1', quote_amount: '0.01', email: 'evil@example.com', locale: 'de' },
      surface: 'modal',
      redirectPage: 'new',
      authorization: 'Bearer session',
    },
  ])
})

// Promise: token/never-in-page
test('the token never enters the page', async () => {
  const companion = await createCompanion()
  const { fetch } = window
  const answers: Promise<string>[] = []
  window.fetch = async (...parameters) => {
    const response = await fetch(...parameters)
    answers.push(response.clone().text())
    return response
  }
  onTestFinished(() => {
    window.fetch = fetch
  })
  const widget = makeWidget({ companion: companion.url })
  const messages = record(widget, 'message')
  widget.open()
  await reaches(widget, 'loaded')
  frameWindow().postMessage({ say: 'hello' }, '*')
  await expect.poll(() => messages).toEqual([{ data: 'hello' }])
  expect((await Promise.all(answers)).join()).not.toContain('canary-token')
})

// Promise: token/nowhere
test.each(['modal', 'popup', 'redirect'] as const)(
  'an address with a token is in no attribute, however the merchant writes its host: %s',
  async (mode) => {
    const companion = await createCompanion({ launchStatus: 204 })
    const followed = watchLinks()
    watchWindows()
    const widget = makeWidget({
      widgetUrl: `${location.origin.toUpperCase()}${companion.url}/launch`,
      accessToken: 'canary-token',
      mode,
    })
    void widget.open()
    await expect.poll(async () => (await companion.state()).launches).toBe(1)
    expect(followed).toEqual([])
    expect(frames().map((frame) => frame.getAttribute('src'))).toEqual(mode === 'modal' ? [null] : [])
  },
)

test('a companion on another port of the widget’s host is not the widget', () => {
  expect(isOfWidget('http://localhost:3000/launch', 'http://localhost')).toBe(false)
})

// Promise: sandbox/guard
/** In a browser: what a page of another local port gets of the console and the control plane. */
import { expect, test } from 'vitest'
import { shopForTests } from '../widget/shop.ts'

const shop = await shopForTests()

const pages: [name: string, url: string][] = [
  ['of another site', shop.url],
  ['at another port', shop.url.replace('localhost', '127.0.0.1')],
]

test.for(pages)('a page %s neither reads nor changes anything, also by a form', async ([, url]) => {
  await shop.sandbox.buy({ email: 'ada@example.com' })
  await shop.page.goto(url)
  const read = await shop.page.evaluate(async (controlUrl) => {
    const json = { 'content-type': 'application/json' }
    const attempt = async (path: string, init: RequestInit): Promise<string> => {
      const response = await fetch(`${controlUrl}/${path}`, init).catch(() => null)
      return response ? await response.text() : ''
    }
    return Promise.all([
      attempt('orders', {}),
      attempt('orders', { mode: 'no-cors' }),
      attempt('reset', { method: 'POST' }),
      attempt('reset', { method: 'POST', mode: 'no-cors', body: 'text', keepalive: true }),
      attempt('switches', { method: 'PATCH', headers: json, body: '{"coop":"same-origin"}' }),
      attempt('requests', { method: 'DELETE' }),
    ])
  }, shop.sandbox.urls.controlUrl)
  expect(read.join('')).toBe('')
  const reset = `${shop.sandbox.urls.controlUrl}/reset`
  await shop.page.setContent(
    `<form method="post" enctype="text/plain" action="${reset}"><button>Win</button></form>`,
  )
  await shop.page.getByRole('button').click()
  await shop.page.waitForURL(reset)
  expect(await shop.sandbox.orders()).toMatchObject([{ email: 'ada@example.com' }])
  const switches = await shop.sandbox.switches.list()
  expect(switches.find(({ name }) => name === 'coop')?.value).toBe('none')
})

test.for(pages)(
  'the console stays empty in a frame on a page %s, and opens by a link there',
  async ([, url]) => {
    const address = `${shop.sandbox.urls.controlUrl}/`
    await shop.page.goto(url)
    await shop.page.setContent(`<iframe src="${address}"></iframe><a href="${address}">console</a>`)
    await expect.poll(() => shop.page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
    await shop.page.getByRole('link').click()
    await shop.page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  },
)

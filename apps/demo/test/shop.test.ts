// Promise: demo/purchase
/** The shop's server: its pages, sessions and deliveries. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createControl } from '@purchase-widget/sandbox/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../catalogue.ts'
import { type Demo, startDemo } from '../server/startDemo.ts'
import { buyAt, visit } from './support.ts'

let demo: Demo
beforeAll(async () => {
  demo = await startDemo({ port: 0 })
})
afterAll(() => demo.close())

const pay = (params: Record<string, string>): Promise<string> => buyAt(demo, params)

describe('pages', () => {
  const paths = ['/', '/token', '/orders', '/return']

  test.each(paths)(
    '%s allows no script or style but those with the nonce of its own response',
    async (path) => {
      const answers = await Promise.all([fetch(demo.url + path), fetch(demo.url + path)])
      const nonces = answers.map((answer) => nonceOf(answer.headers.get('content-security-policy') ?? ''))
      expect(nonces[0]).not.toBe(nonces[1])

      const html = (await answers[0]?.text()) ?? ''
      const active = html.match(/<(script|style|link[^>]*(stylesheet|modulepreload))[^>]*>/g) ?? []
      expect(active.length).toBeGreaterThan(0)
      for (const tag of active) expect(tag).toContain(`nonce="${nonces[0]}"`)
      expect(html).not.toMatch(/\son\w+=|\sstyle=|javascript:/)
    },
  )

  test('an unknown address returns a page to a person, and a sentence to a program', async () => {
    const page = await fetch(`${demo.url}/nothing`, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8'])
    const html = await page.text()
    expect(html).toContain('<h1>There is no such page</h1>')
    expect(html).toContain('href="/">Back to the shop</a>')
    expect(html).not.toMatch(/__[A-Z]+__/)
    const answer = await fetch(`${demo.url}/nothing`)
    expect([answer.status, await answer.text()]).toEqual([404, 'There is nothing at this address.'])
  })

  test('only the widget’s origin and the shop’s own may be framed', async () => {
    const policy = (await fetch(demo.url)).headers.get('content-security-policy')
    expect(policy).toContain(`frame-src ${demo.sandbox.urls.widgetUrl} 'self';`)
    expect(policy).toContain(`default-src 'none';`)
    expect(policy).toContain(`require-trusted-types-for 'script'; trusted-types 'none'`)
  })

  test('the widget is on another site than the shop, as in production', () => {
    expect(new URL(demo.url).hostname).toBe('localhost')
    expect(new URL(demo.sandbox.urls.widgetUrl).hostname).toBe('127.0.0.1')
  })
})

describe('session', () => {
  test('a first visit names a guest in a signed cookie that scripts and other sites cannot use', async () => {
    const cookie = (await fetch(demo.url)).headers.get('set-cookie')
    expect(cookie).toMatch(/^shopper=guest-[0-9a-f]{16}\.\S+; .*HttpOnly; SameSite=Lax$/)
  })

  test('a return page in the widget’s frame, which arrives without the cookie, does not replace the shopper', async () => {
    const framed = await fetch(`${demo.url}/return`, { headers: { 'sec-fetch-dest': 'iframe' } })
    expect(framed.headers.get('set-cookie')).toBeNull()
  })

  test.each(['shopper=guest-0000000000000000', 'shopper=guest-0000000000000000.c2lnbmF0dXJl', ''])(
    'the companion returns nothing for the cookie "%s"',
    async (cookie) => {
      const answer = await fetch(`${demo.url}/api/purchase-widget/orders`, { headers: { cookie } })
      expect(answer.status).toBe(401)
    },
  )

  test('a launch link without a session leads to the shop', async () => {
    const answer = await fetch(`${demo.url}/api/purchase-widget/launch?product_id=gold-100`, {
      redirect: 'manual',
    })
    expect(answer.status).toBe(303)
    expect(new URL(answer.headers.get('location') ?? '').origin).toBe(demo.url)
  })
})

describe('a purchase', () => {
  test('a purchase is delivered to its shopper, and to no other', async () => {
    const [buyer, other] = await Promise.all([visit(demo.url), visit(demo.url)])
    const id = await pay((await buyer.begin('gold-100')).params)
    await expect.poll(() => buyer.fulfilled()).toEqual({ delivered: [id], held: [] })
    expect(await other.fulfilled()).toEqual({ delivered: [], held: [] })
  })

  test('a purchase has the shop’s price, whatever the page specifies', async () => {
    const buyer = await visit(demo.url)
    const { params } = await buyer.begin('btc', { quote_amount: '0.01', quote: 'JPY', address: 'mine' })
    expect(params).toMatchObject({ product_id: 'btc', quote: 'USD', quote_amount: '32.00', base: 'BTC' })
    expect(params.address).toMatch(/^bc1/)
  })

  test.each(catalogue)(
    '$id has the same name and price in the widget as in the shop',
    async ({ id, name, price }) => {
      const { accessToken, params } = await (await visit(demo.url)).begin(id)
      const answer = await fetch(new URL('/widget/api/checkouts', demo.sandbox.urls.widgetUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ accessToken, params }),
      })
      expect(await answer.json()).toMatchObject({ offer: { name, quote_amount: price, quote: 'USD' } })
    },
  )

  test('a product that the shop does not sell is refused with a sentence for the shopper', async () => {
    const buyer = await visit(demo.url)
    await expect(buyer.begin('north-pole')).rejects.toThrow('The shop does not sell that.')
  })

  test.each([
    ['a lower price', 'gold-100', { quote_amount: '0.01' }],
    ['another product', 'gold-100', { product_id: 'north-keep' }],
    ['another wallet', 'btc', { address: 'bc1qmine0000000000000000000000000000000000' }],
  ])('with %s put into the widget’s address is paid and not delivered', async (_what, product, change) => {
    const buyer = await visit(demo.url)
    const { params } = await buyer.begin(product)
    const cheat = await pay({ ...params, ...change })
    const fair = await pay((await buyer.begin(product)).params)
    await expect.poll(() => buyer.fulfilled()).toEqual({ delivered: [fair], held: [cheat] })
  })

  test('a purchase is delivered after a reset in the console', async () => {
    const again = await startDemo({ port: 0 })
    try {
      await fetch(`${again.sandbox.urls.controlUrl}/reset`, { method: 'POST' })
      const buyer = await visit(again.url)
      const sandbox = createControl(again.sandbox.urls.controlUrl)
      const { id } = await sandbox.buy({ params: (await buyer.begin('gold-100')).params })
      await expect.poll(() => buyer.fulfilled()).toEqual({ delivered: [id], held: [] })
    } finally {
      await again.close()
    }
  })

  test('a subscription is delivered again when it renews', async () => {
    const later = await startDemo({ port: 0 })
    try {
      const buyer = await visit(later.url)
      const sandbox = createControl(later.sandbox.urls.controlUrl)
      const first = await sandbox.buy({ params: (await buyer.begin('club-monthly')).params })
      await expect.poll(() => buyer.fulfilled()).toEqual({ delivered: [first.id], held: [] })
      await sandbox.clock.advance('31 days')
      await expect.poll(async () => (await buyer.fulfilled()).delivered).toHaveLength(2)
    } finally {
      await later.close()
    }
  })
})

describe('assets', () => {
  test.each(['br', 'gzip', 'identity'])(
    'scripts are sent as %s where that is accepted, with the same content',
    async (encoding) => {
      const html = await (await fetch(demo.url)).text()
      const [, script = ''] = /<script [^>]*src="([^"]+)"/.exec(html) ?? []
      const [plain, answer] = await Promise.all([
        fetch(demo.url + script, { headers: { 'accept-encoding': 'identity' } }),
        fetch(demo.url + script, { headers: { 'accept-encoding': encoding } }),
      ])
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
      expect(answer.headers.get('vary')).toBe('Accept-Encoding')
      expect(await answer.text()).toBe(await plain.text())
    },
  )
})

test('a busy port is skipped', async () => {
  const busy = createServer()
  await new Promise<void>((resolve) => busy.listen(0, 'localhost', resolve))
  const { port } = busy.address() as AddressInfo
  const second = await startDemo({ port })
  try {
    expect(second.url).not.toBe(`http://localhost:${port}`)
    expect((await fetch(second.url)).status).toBe(200)
  } finally {
    await second.close()
    busy.close()
  }
})

function nonceOf(policy: string): string {
  const nonces = [...policy.matchAll(/'nonce-([^']+)'/g)].map(([, nonce]) => nonce)
  expect(nonces).toHaveLength(2)
  expect(nonces[0]).toBe(nonces[1])
  return nonces[0] ?? ''
}

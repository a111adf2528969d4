import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Demo, startDemo } from '../server/startDemo.ts'
import type { Step } from '../story.ts'
import { controlOf } from './control.ts'
import { visit } from './visitor.ts'

let demo: Demo
beforeAll(async () => {
  demo = await startDemo({ port: 0 })
})
afterAll(() => demo.close())

describe('pages', () => {
  const paths = ['/', '/account', '/orders', '/plain.html', '/return.html', '/webview.html']

  test.each(paths)(
    '%s allows no script or style but those with the nonce of this very answer',
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
  test('a first visit names the shopper in a signed cookie that scripts and other sites cannot use', async () => {
    const cookie = (await fetch(demo.url)).headers.get('set-cookie')
    expect(cookie).toMatch(/^shopper=shopper-[0-9a-f]{10}\.\S+; .*HttpOnly; SameSite=Lax$/)
  })

  test('a return page in the widget’s frame, which comes without the cookie, does not replace the shopper', async () => {
    const framed = await fetch(`${demo.url}/return.html`, { headers: { 'sec-fetch-dest': 'iframe' } })
    expect(framed.headers.get('set-cookie')).toBeNull()
  })

  test.each(['shopper=shopper-0000000000', 'shopper=shopper-0000000000.c2lnbmF0dXJl', ''])(
    'the companion gives nothing to the cookie "%s"',
    async (cookie) => {
      const answer = await fetch(`${demo.url}/api/purchase-widget/orders`, { headers: { cookie } })
      expect(answer.status).toBe(401)
    },
  )
})

describe('a purchase', () => {
  test('is handed over to its shopper, and to nobody else', async () => {
    const [buyer, other] = await Promise.all([visit(demo.url), visit(demo.url)])
    const id = await controlOf(demo.sandbox.urls).buy(buyer.customId)
    await expect.poll(() => buyer.get('/api/shop/deliveries')).toMatchObject([{ orderId: id }])
    expect(await other.get('/api/shop/deliveries')).toEqual([])
  })

  test('of a chest of gold for one cent hands over nothing', async () => {
    const buyer = await visit(demo.url)
    const control = controlOf(demo.sandbox.urls)
    const cheap = await control.buy(buyer.customId, { id: 'gold-1200', price: '0.01' })
    const fair = await control.buy(buyer.customId, { id: 'gold-1200', price: '9.99' })
    // Rings are answered in turn: when the second is handed over, the first has been judged.
    await expect.poll(() => buyer.get('/api/shop/deliveries')).toMatchObject([{ orderId: fair }])
    const orders = await buyer.get<{ orders: { id: string }[] }>('/api/purchase-widget/orders')
    expect(orders.orders.map(({ id }) => id)).toContain(cheap)
  })
})

describe('the story', () => {
  const tell = (step: object | null, cookie: string) =>
    fetch(`${demo.url}/api/shop/story`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(step && { at: Date.now(), ...step }),
    })

  async function steps(cookie: string, count: number): Promise<Step[]> {
    const stream = await fetch(`${demo.url}/api/shop/story`, { headers: { cookie } })
    const found: Step[] = []
    let text = ''
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      found.splice(
        0,
        found.length,
        ...[...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? '')),
      )
      if (found.length >= count) break
    }
    return found
  }

  const cookieOf = async () => (await fetch(demo.url)).headers.get('set-cookie')?.split(';')[0] ?? ''

  test('shows a shopper their own steps only', async () => {
    const [mine, theirs] = await Promise.all([cookieOf(), cookieOf()])
    await tell({ from: 'page', to: 'page', text: 'theirs' }, theirs)
    await tell({ from: 'page', to: 'widget', text: 'mine' }, mine)
    const texts = (await steps(mine, 1)).map(({ text }) => text)
    expect(texts).toContain('mine')
    expect(texts).not.toContain('theirs')
  })

  test.each([
    ['an actor that is not in the play', { from: 'page', to: 'audience', text: 'x' }],
    ['a speech', { from: 'page', to: 'page', text: 'x'.repeat(121) }],
    ['more than a step', { from: 'page', to: 'page', text: 'x', html: '<b>' }],
    ['no step at all', null],
  ])('refuses %s', async (_what, step) => {
    expect((await tell(step, await cookieOf())).status).toBe(400)
  })

  test('holds no order id and no token', async () => {
    const cookie = await cookieOf()
    const customId = decodeURIComponent(cookie).replace('shopper=', '').split('.')[0] ?? ''
    const id = await controlOf(demo.sandbox.urls).buy(customId)
    await fetch(`${demo.url}/api/purchase-widget/orders/${id}`, { headers: { cookie } })
    const told = JSON.stringify(await steps(cookie, 3))
    expect(told).toContain('/orders/…')
    expect(told).not.toContain(id)
  })
})

test('a busy port is passed over', async () => {
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

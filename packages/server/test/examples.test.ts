/** Each example, started as a person starts it, answers a shopper in front of the real sandbox. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from './support/service.ts'

let service: Service
let running: ChildProcess | undefined

beforeAll(async () => {
  service = await startService()
})
afterEach(async () => {
  if (!running || running.exitCode !== null) return
  const ended = once(running, 'exit')
  running.kill()
  await ended
})
afterAll(() => service.close())

/** Starts an example and gives the origin that it prints. */
async function start(name: string): Promise<string> {
  const { widgetUrl, widgetApiUrl, baseUrl } = service.urls
  const folder = fileURLToPath(new URL(`../../../examples/${name}/`, import.meta.url))
  const child = spawn(process.execPath, ['server.ts'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      NODE_ENV: 'production',
      PURCHASE_WIDGET_URL: widgetUrl,
      PURCHASE_WIDGET_API_URL: widgetApiUrl,
      PURCHASE_BASE_URL: baseUrl,
      PURCHASE_API_KEY: service.credentials.apiKey,
      PURCHASE_SECRET_KEY: service.credentials.secretKey,
    },
  })
  running = child
  return until(child, /port: (\d+)/).then((port) => `http://localhost:${port}`)
}

/** Reads what a program prints until it matches. */
function until(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${text}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk
      const found = pattern.exec(text)
      if (found) resolve(found[1] ?? '')
    })
  })
}

describe.each(['server-node', 'server-express', 'server-fastify', 'server-hono'])('examples/%s', (name) => {
  test('gives a token, sends to the widget, lists orders, answers webhooks, and knows its shopper', async () => {
    service.reset()
    const origin = await start(name)
    const mount = `${origin}/api/purchase-widget`
    const session = { cookie: 'shopper=ada' }
    const json = { 'content-type': 'application/json' }
    const token = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${mount}/token`, { method: 'POST', body: '{}', headers: { ...json, ...headers } })

    const given = await token({ ...session, origin })
    expect(given.status).toBe(200)
    expect(await given.json()).toMatchObject({
      widgetUrl: service.urls.widgetUrl,
      params: { custom_id: 'ada' },
    })
    expect((await token({ origin })).status).toBe(401)
    expect((await token({ ...session, origin: 'https://evil.example' })).status).toBe(403)

    const launch = await fetch(`${mount}/launch?product_id=gold-100`, {
      headers: session,
      redirect: 'manual',
    })
    expect(launch.status).toBe(303)
    expect(launch.headers.get('location')).toContain('custom_id=ada')

    const order = await service.buy({ product_id: 'gold-100', custom_id: 'ada' })
    const delivered = until(running as ChildProcess, new RegExp(`once for order (${order.id})`))
    const ring = await fetch(`${mount}/webhook`, {
      method: 'POST',
      body: JSON.stringify({ order_id: order.id }),
      headers: json,
    })
    expect(ring.status).toBe(202)
    await delivered

    const { orders } = (await (await fetch(`${mount}/orders`, { headers: session })).json()) as {
      orders: object[]
    }
    expect(orders).toMatchObject([{ id: order.id, type: 'order_complete' }])

    const large = await fetch(`${mount}/token`, {
      method: 'POST',
      body: JSON.stringify({ a: 'x'.repeat(50_000) }),
      headers: { ...json, ...session, origin },
    })
    expect(large.status).toBe(413)
  })
})

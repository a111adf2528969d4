/** Each example, started as a person starts it, sells to a shopper in front of the real sandbox. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { webhookKeyOf } from '../src/index.ts'
import { type Service, startService } from './support/service.ts'

interface Shop {
  origin: string
  /** The companion's address. */
  mount: string
  /** Resolves when the shop has printed this. */
  printed(text: string): Promise<void>
}

let service: Service
let running: ChildProcess | undefined
let folder: string

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  service.reset()
  folder = await mkdtemp(join(tmpdir(), 'example-'))
})
afterEach(async () => {
  if (running && running.exitCode === null && running.signalCode === null) {
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }
  await rm(folder, { recursive: true, force: true })
})
afterAll(() => service.close())

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || !address) throw new Error('There is no free port.')
  return address.port
}

/** Starts an example with its data in `folder`. */
async function start(name: string): Promise<Shop> {
  const { widgetUrl, widgetApiUrl, baseUrl } = service.urls
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const mount = `${origin}/api/purchase-widget`
  const child = spawn(process.execPath, ['server.ts'], {
    cwd: fileURLToPath(new URL(`../../../examples/${name}/`, import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: String(port),
      NODE_ENV: 'production',
      DATABASE: join(folder, 'shop.sqlite'),
      PURCHASE_COMPANION_URL: mount,
      PURCHASE_WIDGET_URL: widgetUrl,
      PURCHASE_WIDGET_API_URL: widgetApiUrl,
      PURCHASE_BASE_URL: baseUrl,
      PURCHASE_API_KEY: service.credentials.apiKey,
      PURCHASE_SECRET_KEY: service.credentials.secretKey,
    },
  })
  running = child
  const printed = reader(child)
  await printed(`port: ${port}`)
  return { origin, mount, printed }
}

/** Reads what a program prints, also what it has printed before it is asked for. */
function reader(child: ChildProcess): Shop['printed'] {
  let text = ''
  const waiting = new Set<() => void>()
  const read = (chunk: Buffer): void => {
    text += chunk
    for (const look of waiting) look()
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  return (wanted) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (text.includes(wanted)) resolve()
      }
      child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${text}`)))
      waiting.add(look)
      look()
    })
}

const session = { cookie: 'shopper=ada' }
const json = { 'content-type': 'application/json' }

/** Follows a link to the widget, and gives what the widget is told. */
async function launch({ mount }: Shop): Promise<Record<string, string>> {
  const answer = await fetch(`${mount}/launch?product_id=gold-100&quote_amount=0.01`, {
    headers: session,
    redirect: 'manual',
  })
  expect(answer.status).toBe(303)
  const { accessToken, ...params } = Object.fromEntries(
    new URL(answer.headers.get('location') ?? '').searchParams,
  )
  expect(accessToken).toBeTruthy()
  return params
}

async function ring({ mount }: Shop, orderId: string): Promise<void> {
  const answer = await fetch(`${mount}/webhook/${await webhookKeyOf(service.client())}`, {
    method: 'POST',
    body: JSON.stringify({ order_id: orderId }),
    headers: json,
  })
  expect(answer.status).toBe(202)
}

describe.each(['server-node', 'server-express', 'server-fastify', 'server-hono'])('examples/%s', (name) => {
  test('begins purchases for its own shopper, from its own pages, at its own price', async () => {
    const { origin, mount } = await start(name)
    const begin = (body: object, headers: Record<string, string>): Promise<Response> =>
      fetch(`${mount}/launch`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...json, ...headers },
      })
    const gold = { params: { product_id: 'gold-100', quote_amount: '0.01' } }

    const given = await begin(gold, { ...session, origin })
    expect(given.status).toBe(200)
    expect(await given.json()).toMatchObject({
      launchUrl: expect.stringContaining(`${mount}/launch?ticket=`),
      params: {
        product_id: 'gold-100',
        quote_amount: '0.99',
        custom_id: 'ada',
        redirect_url: expect.stringContaining(`${mount}/return/`),
      },
    })
    expect((await begin(gold, { origin })).status).toBe(401)
    expect((await begin(gold, { ...session, origin: 'https://evil.example' })).status).toBe(403)
    const refused = await begin({ params: { product_id: 'constructor' } }, { ...session, origin })
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({
      error: { code: 'purchase_refused', message: 'We do not sell that.' },
    })
    expect((await begin({ a: 'x'.repeat(50_000) }, { ...session, origin })).status).toBe(413)
  })

  test('delivers what was paid as it was begun, and nothing else', async () => {
    const shop = await start(name)
    const params = await launch(shop)
    const order = await service.buy(params)
    await ring(shop, order.id)
    await shop.printed(`Deliver gold-100 for order ${order.id}.`)

    const [, purchaseId] = /\/return\/([\w-]+)/.exec(params.redirect_url ?? '') ?? []
    const known = await fetch(`${shop.mount}/purchases/${purchaseId}`, { headers: session })
    expect(await known.json()).toMatchObject({
      status: 'complete',
      state: 'matched',
      order: { id: order.id },
      returnUrl: `${shop.origin}/thanks?purchase=${purchaseId}`,
    })
    const listed = await fetch(`${shop.mount}/orders`, { headers: session })
    expect(await listed.json()).toMatchObject({ orders: [{ id: order.id, type: 'order_complete' }] })

    const cheap = await service.buy({ ...(await launch(shop)), quote_amount: '0.01' })
    await ring(shop, cheap.id)
    await shop.printed(`Order ${cheap.id} is paid but mismatched`)
    const again = await service.buy(params)
    await ring(shop, again.id)
    await shop.printed(`Order ${again.id} is paid but duplicate`)
  })
})

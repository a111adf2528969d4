// Promise: docs/sessions
/** Each example, started as a user would, sells to a shopper with the real sandbox, and identifies the shopper of each session. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../scripts/processes.ts'
import { type LaunchGrant, webhookKeyOf } from '../src/index.ts'
import { serviceVariables } from './support/serving.ts'
import { serviceOfThisFile } from './support/untilTheEnd.ts'

interface Shop {
  origin: string
  pid: number | undefined
  /** The companion's address. */
  mount: string
  /** Resolves when the shop has printed this text. */
  printed(text: string): Promise<void>
}

const service = await serviceOfThisFile()
const running: ChildProcess[] = []
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'example-'))
})
afterEach(async () => {
  for (const child of running.splice(0)) {
    const ended = once(child, 'exit')
    if (child.kill('SIGKILL')) await ended
  }
  await rm(folder, { recursive: true, force: true })
})

const repository = new URL('../../../', import.meta.url)
const clock = new URL('fixtures/clock.ts', import.meta.url).href

/** Starts a program of the repository with its data in `folder`. */
async function start(program: string, secret = 'the secret of the shop, with 32 characters'): Promise<Shop> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const mount = `${origin}/api/purchase-widget`
  const child = spawn(process.execPath, ['--import', clock, fileURLToPath(new URL(program, repository))], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: String(port),
      NODE_ENV: 'production',
      DATABASE: join(folder, 'shop.sqlite'),
      SESSION_SECRET: secret,
      PURCHASE_COMPANION_URL: mount,
      ...serviceVariables(service),
    },
  })
  running.push(child)
  const printed = reader(child)
  await printed(`port: ${port}`)
  return { origin, mount, pid: child.pid, printed }
}

/** Reads a program's output, including what it printed before this call. */
function reader(child: ChildProcess): Shop['printed'] {
  let text = ''
  const waiting = new Set<() => void>()
  const read = (chunk: Buffer): void => {
    text += chunk
    for (const check of waiting) check()
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  return (wanted) =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (text.includes(wanted)) resolve()
      }
      child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${text}`)))
      waiting.add(check)
      check()
    })
}

const json = { 'content-type': 'application/json' }
const gold = { params: { product_id: 'gold-100', quote_amount: '0.01' } }

interface Cookie {
  cookie: string
}

/** The cookie of a shopper who is new to the shop: just signed in or, without a sign-in, a new guest. */
async function signIn(shop: Shop): Promise<Cookie> {
  const signedIn = await fetch(`${shop.origin}/sign-in`, { method: 'POST' })
  const answer = signedIn.status === 404 ? await begin(shop, {}) : signedIn
  expect(answer.ok).toBe(true)
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return { cookie: cookies.join('; ') }
}

const begin = ({ mount, origin }: Shop, headers: object, body: object = gold): Promise<Response> =>
  fetch(`${mount}/launch`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...json, origin, ...headers },
  })

/** Follows a link to the widget, and returns the widget's parameters. */
async function launch({ mount }: Shop, session: Cookie): Promise<Record<string, string>> {
  const answer = await fetch(`${mount}/launch?product_id=gold-100&quote_amount=0.01`, {
    headers: { ...session },
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

const withGuests = 'examples/server-node/server.ts'
const withSignIn = ['server-express', 'server-fastify', 'server-hono'].map(
  (name) => `examples/${name}/server.ts`,
)
const examples = [withGuests, ...withSignIn]
const fixture = (name: string): string => `packages/server/test/fixtures/${name}.ts`
const next = fixture('nextShop')
const sessions = [...examples, next, fixture('passport')]
/** Whoever is not signed in is a guest. */
const takesGuests = new Set([withGuests, next])

/** The shopper of a purchase, as a page of the shop receives it; null for none. */
async function shopperOf(shop: Shop, headers: object): Promise<string | null> {
  const answer = await begin(shop, headers)
  if (answer.status === 401) return null
  const { params } = (await answer.json()) as LaunchGrant
  return params.custom_id ?? ''
}

describe.each(sessions)('the session of %s', (program) => {
  test('identifies the shopper; when signed out, forged or expired, there is no shopper or a new guest', async () => {
    const shop = await start(program)
    const ada = await signIn(shop)
    const response = await begin(shop, ada)
    expect(response.status).toBe(200)
    const { purchaseId, params } = (await response.json()) as LaunchGrant
    expect(params.custom_id).toBeTruthy()

    const elsewhere = await signIn(await start(program, 'another secret, which has 32 characters'))
    const value = ada.cookie.indexOf('=') + 1
    const place = value + 24
    const altered =
      ada.cookie.slice(0, place) + (ada.cookie[place] === 'a' ? 'b' : 'a') + ada.cookie.slice(place + 1)
    const isNobody = async (headers: object): Promise<boolean> => {
      const shopper = await shopperOf(shop, headers)
      return takesGuests.has(program)
        ? shopper?.startsWith('guest_') === true && shopper !== params.custom_id
        : shopper === null
    }
    for (const headers of [{}, { cookie: 'theme=dark' }, { cookie: altered }, elsewhere])
      expect(await isNobody(headers)).toBe(true)

    // A shopper who signs in after Ada, in the same browser, has another purchase, and does not see Ada's.
    const eve = await signIn(shop)
    const known = async (session: Cookie): Promise<unknown> =>
      (await fetch(`${shop.mount}/purchases/${purchaseId}`, { headers: { ...session } })).json()
    expect(await known(ada)).toMatchObject({ begun: true })
    expect(await known(eve)).toMatchObject({ begun: false, status: 'none' })
    expect(await shopperOf(shop, eve)).not.toBe(params.custom_id)

    process.kill(Number(shop.pid), 'SIGUSR2')
    await shop.printed('A month later.')
    expect(await isNobody(ada)).toBe(true)
    expect((await begin(shop, await signIn(shop))).status).toBe(200)
  })
})

test('the route handlers for Next.js let the companion answer a preflight, which Next.js would answer without CORS', async () => {
  const { mount, origin } = await start(next)
  const headers = { origin, 'access-control-request-method': 'POST' }
  const answer = await fetch(`${mount}/launch`, { method: 'OPTIONS', headers })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, origin])
})

test('docs/sell.md prints what the shop with Passport runs', async () => {
  const [page, program] = await Promise.all(
    ['docs/sell.md', 'packages/server/test/fixtures/passport.ts'].map((file) =>
      readFile(new URL(file, repository), 'utf8'),
    ),
  )
  const [, code = 'nothing'] = /```ts\n([^`]*passport[^`]*)```/.exec(page ?? '') ?? []
  const [, lines = 'nothing'] = code.split('\n\n')
  expect(program).toContain(lines)
})

describe.each(examples)('%s', (program) => {
  test('creates purchases from its own pages, at its own price', async () => {
    const shop = await start(program)
    const session = await signIn(shop)
    const given = await begin(shop, session)
    expect(given.status).toBe(200)
    expect(await given.json()).toMatchObject({
      launchUrl: expect.stringContaining(`${shop.mount}/launch?ticket=`),
      params: {
        product_id: 'gold-100',
        quote_amount: '0.99',
        redirect_url: expect.stringContaining(`${shop.mount}/return/`),
      },
    })
    expect((await begin(shop, { ...session, origin: 'https://evil.example' })).status).toBe(403)
    const refused = await begin(shop, session, { params: { product_id: 'constructor' } })
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({
      error: { code: 'purchase_refused', message: 'We do not sell that.' },
    })
    expect((await begin(shop, session, { a: 'x'.repeat(50_000) })).status).toBe(413)
  })

  test('delivers orders that were paid unchanged, and nothing else', async () => {
    const shop = await start(program)
    const session = await signIn(shop)
    const headers = { ...session }
    const params = await launch(shop, session)
    const order = await service.buy(params)
    await ring(shop, order.id)
    await shop.printed(`Deliver gold-100 for order ${order.id}.`)

    const [, purchaseId] = /\/return\/([\w-]+)/.exec(params.redirect_url ?? '') ?? []
    const known = await fetch(`${shop.mount}/purchases/${purchaseId}`, { headers })
    expect(await known.json()).toMatchObject({
      status: 'complete',
      state: 'matched',
      order: { id: order.id },
      returnUrl: `${shop.origin}/thanks?purchase=${purchaseId}`,
    })
    const listed = await fetch(`${shop.mount}/orders`, { headers })
    expect(await listed.json()).toMatchObject({ orders: [{ id: order.id, type: 'order_complete' }] })

    const cheap = await service.buy({ ...(await launch(shop, session)), quote_amount: '0.01' })
    await ring(shop, cheap.id)
    await shop.printed(`Order ${cheap.id} is paid but mismatched`)
    const again = await service.buy(params)
    await ring(shop, again.id)
    await shop.printed(`Order ${again.id} is paid but duplicate`)
  })
})

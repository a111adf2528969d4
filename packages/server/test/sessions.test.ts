/** Five sessions before each way to mount the companion: signed in, signed out, a forged cookie, an expired one, and another shopper. */
import express, { type Request as ExpressRequest } from 'express'
import { type Context, Hono } from 'hono'
import { getSignedCookie } from 'hono/cookie'
import { serializeSigned } from 'hono/utils/cookie'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LaunchGrant, type PurchaseAnswer, toNodeHandler } from '../src/index.ts'
import { companionOf, mount, shopOrigin } from './support/companion.ts'
import { listen } from './support/http.ts'
import { type Service, startService } from './support/service.ts'

const HOUR = 3_600_000
const secret = 'the secret of the shop'

/** What a shop sets when somebody signs in: the shopper, and the end of the session. */
async function cookieOf(shopper: string, endsAt = Date.now() + HOUR, signedWith = secret): Promise<string> {
  const [cookie = ''] = (await serializeSigned('session', `${shopper}.${endsAt}`, signedWith)).split(';')
  return cookie
}

/** The shopper of a signed cookie whose session has not ended. */
function shopperIn(value: string | false | undefined): { customId: string } | null {
  const [customId = '', endsAt = ''] = (value || '').split('.')
  return Number(endsAt) > Date.now() ? { customId } : null
}

/** As a framework's own library reads the cookie, before the companion is asked. */
async function sessionOf(cookies: string | undefined): Promise<{ customId: string } | null> {
  const app = new Hono().get('/', async (c) => c.json(shopperIn(await getSignedCookie(c, secret, 'session'))))
  const answer = await app.request('/', { headers: cookies === undefined ? {} : { cookie: cookies } })
  return (await answer.json()) as { customId: string } | null
}

let service: Service
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterAll(() => service.close())

interface Shop {
  fetch(request: Request): Promise<Response>
  close?(): Promise<void>
}

/** `authorize` as docs/sell.md has it for what `context` gives. */
const fromContext = (_: Request, session: unknown): { customId: string } | null =>
  session as { customId: string } | null

async function expressShop(): Promise<Shop> {
  const companion = companionOf(service.client(), { url: mount, authorize: fromContext })
  const app = express()
  app.use(async (req, _, next) => {
    Object.assign(req, { session: await sessionOf(req.headers.cookie) })
    next()
  })
  const context = (req: ExpressRequest): unknown => Reflect.get(req, 'session')
  app.use('/api/purchase-widget', toNodeHandler(companion, { context }))
  return over(app)
}

/** Fastify hands Node's request and response on in a hook that has awaited its session plugin. */
async function fastifyShop(): Promise<Shop> {
  const companion = companionOf(service.client(), { url: mount, authorize: fromContext })
  const sessions = new WeakMap<object, unknown>()
  const handler = toNodeHandler(companion, { context: (req) => sessions.get(req) })
  return over(async (request, reply) => {
    sessions.set(request, await sessionOf(request.headers.cookie))
    await handler(request, reply)
  })
}

/** A route handler: `authorize` reads the request's own cookie. */
async function nextShop(): Promise<Shop> {
  return companionOf(service.client(), {
    authorize: (request) => sessionOf(request.headers.get('cookie') ?? undefined),
  })
}

async function honoShop(): Promise<Shop> {
  const companion = companionOf(service.client(), {
    authorize: async (_, context) => shopperIn(await getSignedCookie(context as Context, secret, 'session')),
  })
  const app = new Hono().route('/api/purchase-widget', companion.app)
  return { fetch: async (request) => app.fetch(request) }
}

async function over(handler: Parameters<typeof listen>[0]): Promise<Shop> {
  const server = await listen(handler)
  return {
    close: server.close,
    fetch: (request) => fetch(new Request(request.url.replace(shopOrigin, server.url), request)),
  }
}

describe.each([
  ['Express', expressShop],
  ['Fastify', fastifyShop],
  ['Next.js', nextShop],
  ['Hono', honoShop],
])('a companion in %s', (_, open) => {
  const begin = async (shop: Shop, cookie?: string): Promise<Response> =>
    shop.fetch(
      new Request(`${mount}/launch`, {
        method: 'POST',
        body: JSON.stringify({ params: { product_id: 'gold-100' } }),
        headers: {
          origin: shopOrigin,
          'content-type': 'application/json',
          ...(cookie === undefined ? {} : { cookie }),
        },
      }),
    )

  test('sells to whoever is signed in, and to nobody signed out, forged or expired', async () => {
    const shop = await open()
    const signedIn = await begin(shop, await cookieOf('ada'))
    expect(signedIn.status).toBe(200)
    expect(await signedIn.json()).toMatchObject({ params: { custom_id: 'ada' } })
    const unsigned = `session=ada.${Date.now() + HOUR}`
    const others = [
      undefined,
      'theme=dark',
      unsigned,
      (await cookieOf('ada')).replace('ada', 'eve'),
      await cookieOf('ada', Date.now() + HOUR, 'another secret'),
      await cookieOf('ada', Date.now() - 1),
    ]
    for (const cookie of others) expect((await begin(shop, cookie)).status).toBe(401)
    await shop.close?.()
  })

  test('shows a purchase to its shopper, and not to who signs in after them in the same browser', async () => {
    const shop = await open()
    const { purchaseId } = (await (await begin(shop, await cookieOf('ada'))).json()) as LaunchGrant
    const ask = async (shopper: string): Promise<PurchaseAnswer> => {
      const headers = { cookie: await cookieOf(shopper) }
      const answer = await shop.fetch(new Request(`${mount}/purchases/${purchaseId}`, { headers }))
      return (await answer.json()) as PurchaseAnswer
    }
    expect(await ask('ada')).toMatchObject({ begun: true })
    expect(await ask('eve')).toMatchObject({ begun: false, status: 'none' })
    await shop.close?.()
  })
})

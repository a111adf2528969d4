/** The companion's routes, in the order of the code: guards first, then each route with who may ask. */
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { etag } from 'hono/etag'
import { Refusal } from './answer.ts'
import { shopperOnly } from './authorise.ts'
import { jsonBody, textBody } from './body.ts'
import type { App, CompanionEnv, Ctx, Guard } from './context.ts'
import { pathOf, splitAddress } from './paths.ts'
import { launchLink } from './routes/launch.ts'
import { listOrders, oneOrder } from './routes/orders.ts'
import { purchase } from './routes/purchases.ts'
import { returned } from './routes/return.ts'
import { otherFile, script } from './routes/script.ts'
import { launchGrant, pageTokenOnly, token } from './routes/token.ts'
import { createUser, listSubscriptions, oneUser } from './routes/user.ts'
import { webhook } from './routes/webhook.ts'

interface AppOptions {
  /** Runs around every request. */
  around: Guard
  setContext: Guard
  failureAnswer: (error: unknown, c: Ctx) => Promise<Response>
  /** The origins of the merchant's own pages; none while the companion's address is not configured. */
  allowedFor: (request: Request) => readonly string[]
}

const WEBHOOK_LIMIT = 65_536
const PREFLIGHT_SECONDS = 600

export function createApp({ around, setContext, failureAnswer, allowedFor }: AppOptions): App {
  const app: App = new Hono<CompanionEnv>({ getPath: endOfPath })
  app.onError((error, c) => failureAnswer(error, c))
  app.notFound((c) => failureAnswer(new Refusal('not_found', 'There is no such route.'), c))

  app.use(around, catchAll(failureAnswer), setContext, refusePreflight(allowedFor))
  app.use(
    cors({
      origin: (origin, c) => (allowedFor(c.req.raw).includes(origin) ? origin : null),
      credentials: true,
      allowMethods: ['GET', 'POST'],
      allowHeaders: ['authorization', 'content-type'],
      maxAge: PREFLIGHT_SECONDS,
    }),
  )
  app.use(refuseHead)

  app.get('/launch', launchLink)
  app.post('/launch', shopperOnly('POST launch'), jsonBody, launchGrant)
  app.post('/token', shopperOnly('token'), pageTokenOnly, jsonBody, token)
  app.get('/return/:id{.+}', returned)
  app.get('/purchases/:id', purchase)
  app.get('/orders', shopperOnly('orders'), listOrders)
  app.get('/orders/:id', shopperOnly('orders/:id'), oneOrder)
  app.get('/subscriptions', shopperOnly('subscriptions'), listSubscriptions)
  app.post('/user', shopperOnly('POST user'), jsonBody, createUser)
  app.get('/user', shopperOnly('user'), oneUser)
  app.post('/webhook/:key?', textBody(WEBHOOK_LIMIT), webhook)
  app.get('/purchase-widget.js', etag(), script)
  app.get('/:file{purchase-widget\\.[^/]+\\.js}', etag(), otherFile)
  refuseOtherMethods(app)
  return app
}

/** Wherever the companion is mounted, also where the mount has been taken away. An app that it is mounted in reads paths itself. */
function endOfPath({ url }: Request): string {
  return URL.canParse(url) ? pathOf(splitAddress(url).pathname) : '/'
}

/** Hono hands errors on to `onError`. The merchant's own code may throw anything. */
const catchAll =
  (failureAnswer: AppOptions['failureAnswer']): Guard =>
  async (c, next) => {
    try {
      await next()
    } catch (thrown) {
      c.res = await failureAnswer(thrown, c)
    }
  }

/** Said where Hono would leave the browser to guess, so that the cause is logged. */
const refusePreflight =
  (allowedFor: AppOptions['allowedFor']): Guard =>
  async (c, next) => {
    if (c.req.method === 'OPTIONS' && !allowedFor(c.req.raw).includes(c.req.header('origin') ?? '')) {
      throw new Refusal('forbidden_origin', 'This page may not call the companion.')
    }
    await next()
  }

/** Hono answers HEAD as it does GET, which would begin purchases. */
const refuseHead: Guard = async (c, next) => {
  if (c.req.method === 'HEAD') throw otherMethod('GET')
  await next()
}

function refuseOtherMethods(app: App): void {
  const routes = app.routes.filter(({ method }) => method !== 'ALL')
  for (const path of new Set(routes.map((route) => route.path))) {
    const allow = [...new Set(routes.filter((route) => route.path === path).map(({ method }) => method))]
    app.all(path, () => {
      throw otherMethod(allow.join(', '))
    })
  }
}

const otherMethod = (allow: string): Refusal =>
  new Refusal('method_not_allowed', `Use ${allow}.`, { headers: { allow } })

/** The companion's routes, in the order of the code: guards first, then each route with its authentication. */
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { etag } from 'hono/etag'
import { matchedRoutes } from 'hono/route'
import { readingAs } from '../reads/turns.ts'
import { unlessThrows } from '../unknown.ts'
import { Refusal } from './answer.ts'
import { shopperOnly } from './authorise.ts'
import { warnOfRequest } from './causes.ts'
import { type App, type CompanionEnv, type Ctx, type Guard, given, placeIfKnown } from './context.ts'
import { createFailureAnswer, type FailureAnswer } from './failureAnswer.ts'
import { networkOf } from './limits.ts'
import type { CompanionOptions, RequestInfo } from './options.ts'
import { createPlaceOf, mountOf, type Place, pathOf } from './place.ts'
import { launchLink } from './routes/launch.ts'
import { listOrders, oneOrder, purchase } from './routes/purchases.ts'
import { returned } from './routes/return.ts'
import { languageFile, script, secondFile } from './routes/script.ts'
import { launchGrant, token } from './routes/token.ts'
import { createUser, listSubscriptions, oneUser } from './routes/user.ts'
import { webhook } from './routes/webhook.ts'
import type { OnError, Services } from './services.ts'

interface AppOptions {
  options: CompanionOptions
  services: () => Services
  onError: OnError
  /** Runs around every request. */
  around: Guard
}

const PREFLIGHT_SECONDS = 600

export function createApp({ options, services, onError, around }: AppOptions): App {
  const app: App = new Hono<CompanionEnv>({ getPath: endOfPath })
  const failureAnswer = createFailureAnswer(onError)
  app.onError(failureAnswer)
  app.notFound((c) => failureAnswer(new Refusal('not_found', 'There is no such route.'), c))

  app.use(around, setContext(options, services), catchAll(failureAnswer), refuseMethods)
  app.use(
    cors({
      origin: (origin, c) => (isShops(origin, c) ? origin : null),
      credentials: true,
      allowMethods: ['GET', 'POST'],
      allowHeaders: ['authorization', 'content-type'],
      maxAge: PREFLIGHT_SECONDS,
    }),
  )

  app.get('/launch', launchLink)
  app.post('/launch', shopperOnly('POST launch'), launchGrant)
  app.post('/token', shopperOnly('token'), token)
  app.get('/return/:id{.+}', returned)
  app.get('/purchases/:id', purchase)
  app.get('/orders', shopperOnly('orders'), listOrders)
  app.get('/orders/:id', shopperOnly('orders/:id'), oneOrder)
  app.get('/subscriptions', shopperOnly('subscriptions'), listSubscriptions)
  app.post('/user', shopperOnly('POST user'), createUser)
  app.get('/user', shopperOnly('user'), oneUser)
  app.post('/webhook/:key?', webhook)
  app.get('/purchase-widget.js', etag(), script)
  // A language is two letters, and a region where that makes a difference: `de`, `pt-BR`.
  app.get('/:file{purchase-widget\\.[a-z]{2}(?:-[A-Z]{2})?\\.js}', etag(), languageFile)
  app.get('/:file{purchase-widget\\.rest(?:-dev)?\\.[\\da-f]{12}\\.js}', etag(), secondFile)
  refuseOtherMethods(app)
  return app
}

/** The route's path wherever the companion is mounted, even if the mount path was stripped. An enclosing Hono app reads paths itself. */
const endOfPath = ({ url }: Request): string => pathOf(URL.parse(url)?.pathname ?? '/')

/** Sets what is known of a request before `authorize` or the service is called. */
function setContext(options: CompanionOptions, services: () => Services): Guard {
  const placeOf = createPlaceOf(options)
  return async (c, next) => {
    const request = c.req.raw
    // Some runtimes only build the address now, from an arbitrary `Host` header.
    const url = URL.parse(request.url)
    if (!url) throw new Refusal('invalid_request', 'The Host header is not valid.')
    const info = infoOf(c)
    const network = info.address ? networkOf(info.address) : null
    c.set('info', info)
    c.set('network', network)
    c.set('services', services)
    let place: Place | undefined
    c.set('place', () => {
      place ??= placeOf(url)
      return place
    })
    c.set('authorize', async () => options.authorize(request, await info.context))
    c.set('keepAwake', (work, queue) => {
      const { keep, idle } = services().fulfilment
      const kept = keep(work)
      // Waits only where the runtime asks for it: a busy server always has work left, and every waiting request would be kept open.
      info.waitUntil?.(kept.then(() => idle(queue)))
    })
    warnOfRequest(c, mountOf(url.pathname))
    await readingAs({ network: network ?? '' }, next)
  }
}

/** In a merchant's Hono app `authorize` receives its context, with the variables that their middleware has set. */
function infoOf(c: Ctx): RequestInfo {
  const info = c.env?.[given]
  if (info) return info
  // Hono throws where the runtime has no execution context.
  const execution = unlessThrows(() => c.executionCtx)
  const waitUntil: RequestInfo['waitUntil'] = execution && ((work) => execution.waitUntil(work))
  return { address: c.get('callerAddress'), context: c, waitUntil }
}

/** Hono passes only errors to `onError`, but the merchant's own code may throw anything. */
const catchAll =
  (failureAnswer: FailureAnswer): Guard =>
  async (c, next) => {
    try {
      await next()
    } catch (thrown) {
      c.res = await failureAnswer(thrown, c)
    }
  }

/** A preflight that Hono would leave unanswered is refused, so that its cause is logged; HEAD, which Hono treats as GET, would create purchases. */
const refuseMethods: Guard = async (c, next) => {
  const { method } = c.req
  if (method === 'OPTIONS' && !isShops(c.req.header('origin') ?? '', c)) {
    throw new Refusal('forbidden_origin', 'This page may not call the companion.')
  }
  if (method === 'HEAD' && matchedRoutes(c).some((route) => route.method === 'GET')) throw otherMethod('GET')
  await next()
}

const isShops = (origin: string, c: Ctx): boolean => placeIfKnown(c)?.shops.includes(origin) ?? false

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

/** The widget's origin: the page, and the private API that only the page uses (widget/protocol.ts). */
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import {
  cancelCheckoutSubscription,
  chooseOffer,
  openVisit,
  payCheckout,
  proveIdentity,
  startCheckout,
  toCheckout,
} from '../domain/checkout.ts'
import { settleSubscriptions } from '../domain/subscriptions.ts'
import { notFound, parse } from '../refusal.ts'
import type { Switches } from '../simulation/switches.ts'
import type { CheckoutVisit } from '../state/rows.ts'
import type { State } from '../state/state.ts'
import type { ChooseOffer, PayCheckout, ProveIdentity, StartCheckout } from '../widget/protocol.ts'
import { guardHost } from './guard.ts'
import { readJson, refusalBody, toRefusal } from './json.ts'
import { type AppEnv, observed } from './middleware.ts'
import { assets, page, widgetCsp } from './pages.ts'

const startSchema: z.ZodType<StartCheckout> = z.object({
  accessToken: z.string(),
  params: z.record(z.string(), z.string().max(4000)),
})
const chooseSchema: z.ZodType<ChooseOffer> = z.object({ product_id: z.string() })
const paySchema: z.ZodType<PayCheckout> = z.object({
  email: z.string(),
  card_number: z.string(),
  expiry_date: z.string(),
  security_code: z.string(),
})
const identitySchema: z.ZodType<ProveIdentity> = z.object({
  document: z.enum(['passport', 'id_card', 'driving_licence']),
  camera: z.boolean(),
})

export function createWidgetApp(state: State): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(guardHost(state))
  app.get('/widget', (c) => c.redirect(`/widget/${new URL(c.req.url).search}`, 308))
  app.get('/widget/', observed(state, 'widgetPage'), () => page('widget', pageHeaders(state.switches)))
  app.get('/widget/assets/*', assets('widget', '/widget'))
  app.route('/widget/api', createWidgetApi(state))
  app.notFound((c) => c.json(refusalBody(notFound('There is nothing at this address.')), 404))
  return app
}

function createWidgetApi(state: State): Hono<AppEnv> {
  const api = new Hono<AppEnv>()
  api.use(observed(state, 'widgetApi'))
  api.use(async (_, next) => {
    settleSubscriptions(state)
    await next()
  })
  api.post('/checkouts', async (c) => {
    const start = parse(startSchema, await readJson(c), 'body')
    return c.json(toCheckout(state, startCheckout(state, start)), 201)
  })
  api.get('/checkouts/:id', (c) => c.json(toCheckout(state, visitOf(c))))
  api.post('/checkouts/:id/offer', (c) =>
    act(c, chooseSchema, (visit, choice) => chooseOffer(state, visit, choice)),
  )
  api.post('/checkouts/:id/pay', (c) => act(c, paySchema, (visit, card) => payCheckout(state, visit, card)))
  api.post('/checkouts/:id/identity', (c) =>
    act(c, identitySchema, (visit, proof) => proveIdentity(state, visit, proof)),
  )
  api.post('/checkouts/:id/cancel-subscription', (c) =>
    act(c, z.object({}), (visit) => cancelCheckoutSubscription(state, visit)),
  )
  api.onError((error, c) => {
    const refusal = toRefusal(error)
    return c.json({ ...refusalBody(refusal), ...(refusal.field && { field: refusal.field }) }, refusal.status)
  })
  return api

  function visitOf(c: Context<AppEnv>): CheckoutVisit {
    return openVisit(state, c.req.param('id') ?? '')
  }

  async function act<Body>(
    c: Context<AppEnv>,
    schema: z.ZodType<Body>,
    step: (visit: CheckoutVisit, body: Body) => CheckoutVisit | Promise<CheckoutVisit>,
  ): Promise<Response> {
    const body = parse(schema, await readJson(c), 'body')
    return c.json(toCheckout(state, await step(visitOf(c), body)))
  }
}

/** The headers of the page that depend on switches. */
const pageHeaders = ({ coop, xFrameOptions, frameAncestors }: Switches): Record<string, string> => ({
  'Content-Security-Policy':
    frameAncestors === 'any' ? widgetCsp : `${widgetCsp}; frame-ancestors '${frameAncestors}'`,
  ...(coop !== 'none' && { 'Cross-Origin-Opener-Policy': coop }),
  ...(xFrameOptions !== 'none' && { 'X-Frame-Options': xFrameOptions }),
})

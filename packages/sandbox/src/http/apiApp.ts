/** The API's origin: the seven operations, and the control plane under `/_sandbox`. */
import { type Context, Hono } from 'hono'
import { settleSubscriptions } from '../domain/subscriptions.ts'
import { notFound, type Refusal } from '../refusal.ts'
import { type OpenApiDocument, openApiDocument } from '../service/openapi.ts'
import type { Operation } from '../service/operation.ts'
import type { State } from '../state/state.ts'
import { guardControl, guardHost } from './guard.ts'
import { answerRefusal, readJson, readText, refusalBody, toRefusal } from './json.ts'
import { type AppEnv, observed, startLog } from './middleware.ts'
import { controlOperations, operations } from './operations.ts'
import { assets, page } from './pages.ts'

/** A second path of the two user operations, and their only one when the switch `userOperations` says so (U17). */
const usersHost = '/users-host'

export function createApiApp(state: State): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(guardHost(state))
  app.use('/_sandbox/*', guardControl(state))
  for (const operation of operations) {
    const isUserOperation = operation.path.startsWith('/api/user/')
    const hidden = (): boolean => isUserOperation && state.switches.userOperations === 'usersHost'
    const mount = (path: string, gone: () => boolean): void => {
      app.on(operation.method, [path], observed(state, operation.name), (c) =>
        gone() ? answerRefusal(c, state, nowhere()) : serve(c, state, operation),
      )
    }
    mount(operation.path, hidden)
    if (isUserOperation) mount(usersHost + operation.path, () => false)
  }
  for (const operation of controlOperations)
    app.on(operation.method, [operation.path], (c) => serve(c, state, operation))
  app.get('/_sandbox', (c) => c.redirect('/_sandbox/', 308))
  app.get('/_sandbox/', () => page('console'))
  app.get('/_sandbox/assets/*', assets('console', '/_sandbox'))
  app.get('/_sandbox/openapi.json', (c) => c.json(openApi(c.req.raw)))
  app.get('/', (c) => c.redirect('/_sandbox/'))
  app.notFound(async (c) => {
    const log = startLog(state, c, null)
    c.res = c.json(refusalBody(nowhere()), 404)
    await log()
    return c.res
  })
  app.onError((error, c) => {
    const refusal = toRefusal(error)
    return c.json(refusalBody(refusal), refusal.status)
  })
  return app
}

const openApi = ({ url }: Request): OpenApiDocument =>
  openApiDocument([...operations, ...controlOperations], new URL(url).origin)

const nowhere = (): Refusal => notFound('There is nothing at this address.')

async function serve(c: Context<AppEnv>, state: State, operation: Operation): Promise<Response> {
  try {
    settleSubscriptions(state)
    const body = operation.body ? await readJson(c) : await readText(c.req.raw)
    const result = await operation.handle(state, {
      headers: c.req.header(),
      query: c.req.query(),
      path: c.req.param(),
      body,
    })
    return Response.json(result, { status: operation.status })
  } catch (error) {
    const refusal = toRefusal(error)
    if (operation.tag === 'service') return answerRefusal(c, state, refusal)
    return c.json(refusalBody(refusal), refusal.status)
  }
}

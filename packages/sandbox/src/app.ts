/** The API's origin: the seven operations, and the control plane under `/_sandbox`. */
import { type Context, Hono } from 'hono'
import { consolePage } from './control/consolePage.ts'
import { controlOperations } from './control/index.ts'
import { docs } from './docs/index.ts'
import { invalid, notFound, type Refusal, toRefusal } from './errors.ts'
import { type AppEnv, observed, startLog } from './exchange.ts'
import { guardControl, guardHost } from './guard.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations/index.ts'
import { settleSubscriptions } from './renewals.ts'
import type { State } from './state/state.ts'
import type { Switches } from './switches.ts'

/** Where the two user operations also are, and only are when the switch `userOperations` says so (U17). */
const usersHost = '/users-host'

export function createApiApp(state: State): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(guardHost)
  app.use('/_sandbox/*', guardControl)
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
  app.route('/', consolePage())
  app.route('/_sandbox', docs())
  app.notFound((c) => {
    const log = startLog(state, c, null)
    c.res = c.json(refusalBody(nowhere()), 404)
    log()
    return c.res
  })
  app.onError((error, c) => {
    const refusal = toRefusal(error)
    return c.json(refusalBody(refusal), refusal.status)
  })
  return app
}

const nowhere = (): Refusal => notFound('There is nothing at this address.')

async function serve(c: Context<AppEnv>, state: State, operation: Operation): Promise<Response> {
  try {
    settleSubscriptions(state)
    const body = operation.body ? await readJson(c) : undefined
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

const maxBodyLength = 1_000_000

/** Section 4: an endpoint with a body needs `Content-Type: application/json`. No body at all is an empty object. */
export async function readJson(c: Context<AppEnv>): Promise<unknown> {
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) throw invalid('Content-Type', 'must be application/json')
  const text = await c.req.text()
  if (text.length > maxBodyLength) throw invalid('body', 'must have at most a million characters')
  const body = text.trim() === '' ? {} : parseJson(text)
  c.set('body', body)
  return body
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('body', 'is not JSON')
  }
}

const refusalBody = ({ message }: Refusal): { error: true; message: string } => ({ error: true, message })

/** A refusal of one of the seven operations; its shape is not shown (U6). */
function answerRefusal(c: Context<AppEnv>, state: State, refusal: Refusal): Response {
  const body = refusalBody(refusal)
  const shape: Switches['errorShape'] = state.switches.errorShape
  switch (shape) {
    case 'status':
      return c.json(body, refusal.status)
    case 'ok':
      return c.json(body, 200)
    case 'okNested':
      return c.json({ data: body }, 200)
    case 'text':
      return c.text(refusal.message, refusal.status)
  }
}

/** The middleware around each request handler: rate limit, faults, log. */
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { pause } from '../simulation/clock.ts'
import type { Fault, FaultTarget } from '../simulation/faults.ts'
import { keptOf, maskEntries, maskEverything, maskSecrets } from '../simulation/requestLog.ts'
import type { Switches } from '../simulation/switches.ts'
import type { State } from '../state/state.ts'

export type AppEnv = { Bindings: HttpBindings; Variables: { body?: unknown } }
type AppContext = Context<AppEnv>

/** Logs each request and applies the injected faults and the rate limit. */
export function observed(state: State, target: FaultTarget): MiddlewareHandler<AppEnv> {
  const limited = createRateLimit()
  return async (c, next) => {
    const log = startLog(state, c, target)
    const refusal = limited(state.switches.rateLimit)
    const fault = state.faults.take(target)
    if (refusal) c.res = refusal
    else if (fault) await meet(fault, state, c, next)
    else await next()
    await log()
  }
}

const perSecond = 10

/** The other side of U16. Returns a function that counts a request, and returns a refusal when the limit is exceeded. */
function createRateLimit(): (mode: Switches['rateLimit']) => Response | undefined {
  let second = 0
  let requests = 0
  return (mode) => {
    if (mode === 'none') return undefined
    const now = Math.floor(performance.now() / 1000)
    requests = now === second ? requests + 1 : 1
    second = now
    return requests > perSecond ? tooMany(mode) : undefined
  }
}

const tooMany = (mode: 'retryAfter' | 'bare'): Response =>
  Response.json(
    { error: true, message: `More than ${perSecond} requests in a second.` },
    { status: 429, headers: mode === 'retryAfter' ? { 'Retry-After': '1' } : {} },
  )

/** Starts timing a request; the returned function writes the log entry. `operation` is null for an unknown path. */
export function startLog(state: State, c: AppContext, operation: FaultTarget | null): () => Promise<void> {
  const started = performance.now()
  const at = new Date(state.clock.now()).toISOString()
  return async () =>
    state.requests.add({
      at,
      operation,
      method: c.req.method,
      path: c.req.path,
      query: maskEntries(c.req.query()),
      headers: maskEntries(c.req.header()),
      body: maskSecrets(c.get('body')) ?? null,
      response: await answerOf(c.res, operation),
      status: c.res === RESPONSE_ALREADY_SENT ? null : c.res.status,
      ms: Math.round(performance.now() - started),
    })
}

/** The JSON of the response; for a large one only its size is logged, without parsing. */
async function answerOf(response: Response, operation: FaultTarget | null): Promise<unknown> {
  if (!response.headers.get('content-type')?.includes('json')) return null
  const mask = operation === 'createAccessToken' ? maskEverything : maskSecrets
  const text = await response.clone().text()
  return keptOf(text, () => mask(parsed(text)))
}

/** Null for a truncated response, which a fault sends. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function meet(fault: Fault, state: State, c: AppContext, next: Next): Promise<void> {
  switch (fault.kind) {
    case 'latency':
      await pause(fault.latencyMs, state.options.closing)
      return next()
    case 'status':
      if (fault.takesEffect) await next()
      return replace(c, statusAnswer(fault.status, fault.retryAfter))
    case 'reset':
      if (fault.takesEffect) await next()
      c.env.incoming.socket.resetAndDestroy()
      return replace(c, RESPONSE_ALREADY_SENT)
    case 'stall':
      await next()
      return stall(c)
    case 'malformed':
      await next()
      return malform(c)
  }
}

function statusAnswer(status: number, retryAfter: number | undefined): Response {
  const headers = retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) }
  if ([204, 205, 304].includes(status)) return new Response(null, { status, ...(headers && { headers }) })
  return Response.json(
    { error: true, message: `A fault: status ${status}.` },
    { status, ...(headers && { headers }) },
  )
}

async function stall(c: AppContext): Promise<void> {
  const { body, headers, half } = await halved(c.res)
  c.env.outgoing.writeHead(c.res.status, { ...headers, 'content-length': String(body.length) })
  c.env.outgoing.write(half)
  replace(c, RESPONSE_ALREADY_SENT)
}

async function malform(c: AppContext): Promise<void> {
  const { headers, half } = await halved(c.res)
  replace(c, new Response(half, { status: c.res.status, headers }))
}

async function halved(
  response: Response,
): Promise<{ body: Uint8Array; headers: Record<string, string>; half: Uint8Array<ArrayBuffer> }> {
  const body = new Uint8Array(await response.arrayBuffer())
  const { 'content-length': _, ...headers } = Object.fromEntries(response.headers)
  return { body, headers, half: body.slice(0, Math.ceil(body.length / 2)) }
}

/** Hono merges the headers of an existing response into the next one; clearing it first prevents that. */
function replace(c: AppContext, response: Response): void {
  c.res = undefined
  c.res = response
}

/** Mounts the companion in AWS Lambda, behind an API Gateway HTTP API or a function URL. */
import { Hono } from 'hono'
import { type LambdaEvent as AnyLambdaEvent, handle } from 'hono/aws-lambda'
import type { Companion } from '../companion/createCompanion.ts'
import { within } from '../deadline.ts'
import { checkOptions } from '../options.ts'
import { unlessThrows } from '../unknown.ts'
import { checkCompanion, compileTrust, type NodeHandlerOptions, routeOf } from './node.ts'

/** The fields that the handler reads of an event in payload format 2.0, which both send. */
export interface LambdaEvent {
  rawPath: string
  rawQueryString: string
  headers: Record<string, string | undefined>
  cookies?: string[] | undefined
  body?: string | undefined
  isBase64Encoded: boolean
  requestContext: { domainName: string; http: { method: string; sourceIp: string } }
}

/** The object that Lambda turns into an HTTP response. */
export interface LambdaAnswer {
  statusCode: number
  headers?: Record<string, string>
  cookies?: string[]
  body?: string
  isBase64Encoded?: boolean
}

/** `trustProxy`: proxies in front of the gateway or function URL, such as CloudFront. */
export type LambdaHandlerOptions = Pick<NodeHandlerOptions, 'trustProxy'>

/** Lambda freezes the process after the answer: work that the request started is awaited for this many milliseconds. */
const WORK_MS = 5_000

/**
 * @throws InvalidInputError for anything but a companion, and for a wrong or unknown option.
 *
 * The answer waits up to five seconds for the `onOrder` calls that its request has caused. Slower ones continue with a later request, or
 * with `companion.reconcile()`, to be called from a schedule. The promise that the handler returns never rejects.
 *
 * @example
 * export const handler = toLambdaHandler(companion)
 */
export function toLambdaHandler(
  companion: Pick<Companion, 'fetch'>,
  options: LambdaHandlerOptions = {},
): (event: LambdaEvent) => Promise<LambdaAnswer> {
  checkCompanion('toLambdaHandler', companion)
  checkOptions('toLambdaHandler', options, { trustProxy: (value) => void compileTrust(value) })
  const trusts = compileTrust(options.trustProxy ?? 0)
  return async (event) => {
    // A schedule or a warm-up may call the same function, and a REST API sends another format.
    const route = unlessThrows(() =>
      routeOf(event.requestContext.http.sourceIp, forwardedToGateway(event), trusts),
    )
    if (!route) return { statusCode: 400, body: 'toLambdaHandler takes HTTP events of payload format 2.0.' }
    const work: Promise<unknown>[] = []
    const app = new Hono().all('*', (c) =>
      companion.fetch(c.req.raw, { address: route.caller, waitUntil: (more) => work.push(more) }),
    )
    // Hono reads only the fields above of the whole event, and for payload 2.0 returns only the fields above.
    const answered = await handle(app)(event as AnyLambdaEvent)
    await within(WORK_MS, Promise.allSettled(work)).catch(() => {})
    return answered as LambdaAnswer
  }
}

/** `X-Forwarded-For` as the gateway received it: it appends the address of its own caller, which is `sourceIp` already. */
function forwardedToGateway({ headers, requestContext }: LambdaEvent): string | undefined {
  const addresses = headers['x-forwarded-for']?.split(',')
  if (addresses?.at(-1)?.trim() === requestContext.http.sourceIp) addresses?.pop()
  return addresses?.join()
}

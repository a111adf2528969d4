/** Reads a request's body: bounded in bytes and in time. */
import { readAtMost } from '../client/readAnswer.ts'
import { within } from '../deadline.ts'
import { isRecord, parseJson } from '../unknown.ts'
import { Refusal } from './answer.ts'
import type { Guard } from './context.ts'

/** Milliseconds for a whole body: one that stalls must not hold its connection. */
const BODY_MS = 5_000
const JSON_LIMIT = 16_384

/** Sets `text`, of at most so many bytes. */
export const textBody =
  (maxSize: number): Guard =>
  async (c, next) => {
    const text = await within(BODY_MS, read(c.req.raw, maxSize)).catch(() => {
      throw new Refusal('request_timeout', `The body did not arrive within ${BODY_MS / 1_000} s.`, {
        headers: { connection: 'close' },
      })
    })
    if (text === null) throw new Refusal('too_large', `The body may have at most ${maxSize} bytes.`)
    c.set('text', text)
    await next()
  }

/**
 * Null for more bytes: what is still coming is left alone, since to cancel it would end the connection before the answer. Hono's own limit
 * makes a new `Request` of a body without a length, which Node's adapter does not have: proxies send such bodies.
 */
async function read(request: Request, maxSize: number): Promise<string | null> {
  const { headers, body } = request
  const length = headers.has('transfer-encoding') ? null : headers.get('content-length')
  if (length !== null) return Number(length) > maxSize ? null : request.text()
  return readAtMost(body, maxSize, { preventCancel: true })
}

const limitedText = textBody(JSON_LIMIT)

/** Sets `body`. It must be JSON: a form of another site cannot send that without the browser asking first. */
export const jsonBody: Guard = async (c, next) => {
  if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new Refusal('unsupported_media_type', 'Send JSON with Content-Type: application/json.')
  }
  await limitedText(c, async () => {
    const body = parseJson(c.var.text)
    if (!isRecord(body)) throw new Refusal('invalid_request', 'The body must be a JSON object.')
    c.set('body', body)
    await next()
  })
}

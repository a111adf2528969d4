/** Reads a request's body: bounded in bytes and in time. */
import { bodyLimit } from 'hono/body-limit'
import { within } from '../within.ts'
import { Refusal } from './answer.ts'
import type { Ctx, Guard } from './context.ts'

/** Milliseconds for a whole body: one that stalls must not hold its connection. */
const BODY_MS = 5_000
const JSON_LIMIT = 16_384

/** Sets `text`, of at most so many bytes. */
export function textBody(maxSize: number): Guard {
  const limited = bodyLimit({
    maxSize,
    onError: () => {
      throw new Refusal('too_large', `The body may have at most ${maxSize} bytes.`)
    },
  })
  return async (c, next) => {
    await within(BODY_MS, read(c)).catch((error: unknown) => {
      if (error instanceof Refusal) throw error
      throw new Refusal('request_timeout', `The body did not arrive within ${BODY_MS / 1_000} s.`, {
        headers: { connection: 'close' },
      })
    })
    await next()
  }

  async function read(c: Ctx): Promise<void> {
    await limited(c, async () => c.set('text', await c.req.raw.text()))
  }
}

const limitedText = textBody(JSON_LIMIT)

/** Sets `body`. It must be JSON: a form of another site cannot send that without the browser asking first. */
export const jsonBody: Guard = async (c, next) => {
  if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new Refusal('unsupported_media_type', 'Send JSON with Content-Type: application/json.')
  }
  await limitedText(c, async () => {
    c.set('body', objectOf(c.var.text))
    await next()
  })
}

function objectOf(text: string): Record<string, unknown> {
  const body = parse(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('invalid_request', 'The body must be a JSON object.')
  }
  return body as Record<string, unknown>
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

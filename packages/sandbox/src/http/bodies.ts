/** Reads the JSON body of a request, bounded in size. */
import type { Context } from 'hono'
import { invalid } from '../refusal.ts'
import type { AppEnv } from './middleware.ts'

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

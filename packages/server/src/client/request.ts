/** Builds the request for one row of the operation table and its checked input, decides on retries, and limits how much of an answer is read. */
import type { Operation } from './operations.ts'

export interface Account {
  bases: { widgetApiUrl: string; baseUrl: string; userBaseUrl: string }
  apiKey: string
  secretKey: string
}

export interface BuiltRequest {
  url: string
  init: RequestInit
}

export function buildRequest(
  { bases, apiKey, secretKey }: Account,
  { method, at: [base, path], credential }: Pick<Operation<unknown>, 'method' | 'at' | 'credential'>,
  input: Record<string, string | undefined>,
): BuiltRequest {
  const fields = Object.entries(input).filter((field): field is [string, string] => field[1] !== undefined)
  const url = new URL(bases[base] + path)
  const headers: Record<string, string> = { accept: 'application/json' }
  if (credential === 'keyAndSecret') headers['secret-key'] = secretKey
  if (credential === 'keyAndSecret' || credential === 'key' || credential === 'keyTwice')
    headers['api-key'] = apiKey

  // A followed redirect would send the credentials to whatever host it names. The transport refuses the answer: `error`
  // would do it here, but Cloudflare Workers do not support it.
  const init: RequestInit = { method, headers, redirect: 'manual' }
  if (method === 'GET') {
    for (const [field, value] of fields) url.searchParams.set(field, value)
  } else {
    const keyField = credential === 'keyInBody' || credential === 'keyTwice' ? { api_key: apiKey } : {}
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify({ ...keyField, ...Object.fromEntries(fields) })
  }
  return { url: url.href, init }
}

/** How an attempt failed: not to be retried, before anything was sent, or after. */
export type Again = 'no' | 'unsent' | 'sent'

export function retriesFor(operation: Operation<unknown>, maxRetries: number, again: Again): number {
  if (again === 'no') return 0
  switch (operation.retry) {
    case 'always':
      return maxRetries
    case 'once':
      return Math.min(maxRetries, 1)
    case 'unsent':
      return again === 'unsent' ? maxRetries : 0
  }
}

/** Full jitter: anywhere between zero and a ceiling that doubles, so that many callers do not retry together. */
export const backoffMs = (attempt: number): number => Math.random() * Math.min(250 * 2 ** attempt, 4_000)

/** U16: seconds or an HTTP date. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

export const MAX_REFUSAL_BYTES = 65_536

/** @returns null as soon as the body exceeds `limit` bytes; the rest is cancelled unless `preventCancel` is set. */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  { preventCancel = false }: { preventCancel?: boolean } = {},
): Promise<string | null> {
  if (!body) return ''
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of body.values({ preventCancel })) {
    size += chunk.byteLength
    if (size > limit) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

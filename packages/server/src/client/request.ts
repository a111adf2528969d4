/** Builds the request for one row of the operation table and its checked input, and limits how much of an answer is read. */
import type { Operation } from './operations.ts'

export interface Account {
  bases: { widgetApiUrl: string; baseUrl: string; userBaseUrl: string }
  apiKey: string
  secretKey: string
}

export function buildRequest(
  { bases, apiKey, secretKey }: Account,
  { method, at: [base, path], credentials }: Operation<unknown>,
  input: Record<string, string | undefined>,
): { url: string; init: RequestInit } {
  const fields = Object.entries(input).filter((field): field is [string, string] => field[1] !== undefined)
  const url = new URL(bases[base] + path)
  const headers: Record<string, string> = { accept: 'application/json' }
  if (credentials.includes('api-key')) headers['api-key'] = apiKey
  if (credentials.includes('secret-key')) headers['secret-key'] = secretKey

  // A followed redirect would send the credentials to whatever host it names. The transport refuses the answer: `error`
  // would do it here, but Cloudflare Workers do not support it.
  const init: RequestInit = { method, headers, redirect: 'manual' }
  if (method === 'GET') {
    for (const [field, value] of fields) url.searchParams.set(field, value)
  } else {
    const keyField = credentials.includes('api_key') ? { api_key: apiKey } : {}
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify({ ...keyField, ...Object.fromEntries(fields) })
  }
  return { url: url.href, init }
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

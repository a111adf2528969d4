/**
 * `GET /purchase-widget.js`: the loader's built script, so that a page needs one line and versions cannot drift. Its text is a module of
 * its own, loaded when the script is first asked for.
 */
import { type Answer, Refusal } from '../answer.ts'
import type { OpenHandler } from '../context.ts'

interface Script {
  text: string
  etag: string
}

let reading: Promise<Script | null> | null = null

async function read(): Promise<Script> {
  const { readScriptText } = await import('../scriptText.ts')
  const text = await readScriptText()
  return { text, etag: await etagOf(text) }
}

async function etagOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const hex = Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0'))
  return `"${hex.join('')}"`
}

export const script: OpenHandler = async ({ request }): Promise<Answer> => {
  reading ??= read().catch(() => null)
  const file = await reading
  if (!file) {
    reading = null
    throw new Refusal(
      'not_found',
      'The script is not here: serve purchase-widget.js of @purchase-widget/loader.',
    )
  }
  const headers = {
    'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
    'content-type': 'text/javascript; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    etag: file.etag,
  }
  if (request.headers.get('if-none-match') === file.etag) return { status: 304, headers, body: null }
  return { status: 200, headers, body: file.text }
}

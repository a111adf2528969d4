/**
 * `GET /purchase-widget.js` and `GET /purchase-widget.de.js`: the loader's built script and its language files, so that a page needs one
 * line and versions cannot drift. Their text is a module of its own, loaded when one is first asked for. `?dev` gives the script that
 * says in sentences what a developer has got wrong.
 */
import { type Answer, Refusal } from '../answer.ts'
import type { OpenHandler, Visit } from '../context.ts'

interface Script {
  text: string
  etag: string
}

/** What was read, by name: no more names than there are files. */
const known = new Map<string, Script>()

async function read(name: string): Promise<Script | undefined> {
  const script = known.get(name)
  if (script) return script
  const { readScriptText } = await import('../scriptText.ts')
  const text = await readScriptText(name).catch(() => undefined)
  if (text === undefined) return undefined
  const read = { text, etag: await etagOf(text) }
  known.set(name, read)
  return read
}

async function etagOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const hex = Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0'))
  return `"${hex.join('')}"`
}

async function serve({ request }: Visit, name: string): Promise<Answer> {
  const file = await read(name)
  if (!file) {
    throw new Refusal('not_found', `The script is not here: serve ${name} of @purchase-widget/loader.`)
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

export const script: OpenHandler = (visit) =>
  serve(visit, `purchase-widget${new URL(visit.request.url).searchParams.has('dev') ? '.dev' : ''}.js`)

/** A language is two letters, and a region where that makes a difference: `de`, `pt-BR`. */
const language = /^[a-z]{2}(-[A-Z]{2})?$/

export const languageFile: OpenHandler = async (visit) => {
  if (!language.test(visit.id)) throw new Refusal('not_found', 'There is no such language.')
  return serve(visit, `purchase-widget.${visit.id}.js`)
}

/** Reads the JSON body of a request, bounded in size. */
import type { Context } from 'hono'
import { invalid, Refusal } from '../refusal.ts'
import type { AppEnv } from './middleware.ts'

/** What is longer is not read to its end. */
const maxBytes = 1_000_000
/** Far above what anybody means, and below where a recursion would end the stack. */
const maxLevels = 200

/** Section 4: an endpoint with a body needs `Content-Type: application/json`. No body at all is an empty object. */
export async function readJson(c: Context<AppEnv>): Promise<unknown> {
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) throw invalid('Content-Type', 'must be application/json')
  const text = await readText(c.req.raw)
  if (isNestedDeeply(text)) throw invalid('body', `must be nested at most ${maxLevels} levels deep`)
  const body = text.trim() === '' ? {} : parseJson(text)
  c.set('body', body)
  return body
}

/** @throws Refusal (413) for a body that is too large, also where none is needed. */
export async function readText({ headers, body }: Request): Promise<string> {
  if (Number(headers.get('content-length')) > maxBytes) throw tooLarge()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLarge()
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const tooLarge = (): Refusal => new Refusal(413, `body: must have at most ${maxBytes} bytes`, 'body')

/** Counts the brackets outside strings, in one pass and without a stack. */
function isNestedDeeply(text: string): boolean {
  let levels = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (inString && character === '\\') at++
    else if (character === '"') inString = !inString
    else if (inString) continue
    else if (character === '[' || character === '{') levels++
    else if (character === ']' || character === '}') levels--
    if (levels > maxLevels) return true
  }
  return false
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('body', 'is not JSON')
  }
}

/** Reads the JSON body of a request, bounded in size, and turns errors into responses. */
import type { Context } from 'hono'
import { invalid, Refusal } from '../refusal.ts'
import type { Switches } from '../simulation/switches.ts'
import type { State } from '../state/state.ts'
import type { AppEnv } from './middleware.ts'

/** Reading stops at this size. */
const maxBytes = 1_000_000
/** Far above any legitimate input, and below the depth at which recursion would overflow the stack. */
const maxLevels = 200

/** Section 4: an endpoint with a body needs `Content-Type: application/json`. A missing body counts as an empty object. */
export async function readJson(c: Context<AppEnv>): Promise<unknown> {
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) throw invalid('Content-Type', 'must be application/json')
  const text = await readText(c.req.raw)
  if (isNestedDeeply(text)) throw invalid('body', `must be nested at most ${maxLevels} levels deep`)
  const body = text.trim() === '' ? {} : parseJson(text)
  c.set('body', body)
  return body
}

/** @throws Refusal (413) for a body that is too large, even where none is expected. */
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

/** Counts brackets outside strings in one pass, without recursion. */
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

/** Converts anything thrown to the refusal that the caller receives. An internal error is logged, and returned as a 500 without details. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  console.error('The sandbox failed:', error)
  return new Refusal(500, 'The sandbox failed; see its log for the reason.')
}

export const refusalBody = ({ message }: Refusal): { error: true; message: string } => ({
  error: true,
  message,
})

/** The response to a refused operation of the seven; its shape is not shown (U6). */
export function answerRefusal(c: Context<AppEnv>, state: State, refusal: Refusal): Response {
  const body = refusalBody(refusal)
  const shape: Switches['errorShape'] = state.switches.errorShape
  switch (shape) {
    case 'status':
      return c.json(body, refusal.status)
    case 'ok':
      return c.json(body, 200)
    case 'okNested':
      return c.json({ data: body }, 200)
    case 'text':
      return c.text(refusal.message, refusal.status)
  }
}

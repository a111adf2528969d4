/**
 * The received requests, newest first, with secrets masked and long parts truncated. In memory only: the log is for inspection,
 * not for storage.
 */
import { createHash } from 'node:crypto'

/** A received request, with secrets masked and long parts truncated. */
export interface LoggedRequest {
  id: number
  /** ISO 8601, by the sandbox's clock. */
  at: string
  /** The operation's name, or null for a path without one. */
  operation: string | null
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  /** JSON with secrets masked, its size when it is large, or null. */
  body: unknown
  /** The JSON of the response, stored like `body`. */
  response: unknown
  /** The same request got the same response before, as happens with polling. */
  repeat: boolean
  /** Null when the connection was closed without a response. */
  status: number | null
  ms: number
}

type Arrived = Omit<LoggedRequest, 'id' | 'repeat'>

export interface RequestLog {
  add(request: Arrived): void
  /** Returns the newest `count`. Default: all that are kept. */
  list(count?: number): LoggedRequest[]
  clear(): void
}

const kept = 1000
/** Characters of JSON. */
const longestBody = 16_000
/** Characters of a header, a parameter or a path. Node accepts at most 16 kB of all of them together. */
const longestText = 1000

export function createRequestLog(): RequestLog {
  // Stored as JSON: the parsed objects can take many times the size of the body.
  let requests: { text: string; repeat: boolean }[] = []
  /** Hash of the last response, keyed by the hash of the request. */
  const answers = new Map<string, string>()
  let next = 1

  function isRepeat({ method, path, query, body, status, response }: Arrived): boolean {
    const question = hash([method, path, query, body])
    const answer = hash([status, response])
    const repeat = answers.get(question) === answer
    answers.set(question, answer)
    const [oldest] = answers.keys()
    if (answers.size > kept && oldest !== undefined) answers.delete(oldest)
    return repeat
  }

  return {
    add(request) {
      const short = shortened(request)
      const repeat = isRepeat(short)
      requests.push({ text: JSON.stringify({ id: next++, ...short, repeat }), repeat })
      // Repeats must not evict requests that happened once.
      if (requests.length > kept)
        requests.splice(
          Math.max(
            0,
            requests.findIndex((one) => one.repeat),
          ),
          1,
        )
    },
    list: (count = requests.length) =>
      requests
        .slice(-count)
        .reverse()
        .map(({ text }) => JSON.parse(text) as LoggedRequest), // as it was written above
    clear: () => {
      requests = []
      answers.clear()
    },
  }
}

const hash = (data: unknown): string => createHash('sha1').update(JSON.stringify(data)).digest('base64')

const shortened = (request: Arrived): Arrived => ({
  ...request,
  path: cut(request.path),
  query: cutEntries(request.query),
  headers: cutEntries(request.headers),
  body: keptOf(JSON.stringify(request.body), () => request.body),
  response: keptOf(JSON.stringify(request.response), () => request.response),
})

const cut = (text: string): string =>
  text.length > longestText ? `${text.slice(0, longestText)}… ${text.length} characters` : text

const cutEntries = (entries: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, cut(value)]))

/** The stored form of a JSON text: its data, or only its size when it is large. */
export const keptOf = (json: string, data: () => unknown): unknown =>
  json.length > longestBody ? `${json.length} characters of JSON, not kept` : data()

const secretNames =
  /^(api[-_]?key|secret[-_]?key|access[-_]?token|authorization|cookie|card_number|security_code)$/i

/** Copies data with secret values masked, down to this many levels: untrusted bodies may be nested thousands of levels deep. */
export function maskSecrets(data: unknown, levels = 32): unknown {
  if (typeof data !== 'object' || data === null) return data
  if (levels === 0) return '…'
  if (Array.isArray(data)) return data.map((item) => maskSecrets(item, levels - 1))
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      secretNames.test(name) ? maskText(value) : maskSecrets(value, levels - 1),
    ]),
  )
}

/** Copies data with every string masked, because a token response may have any shape (U1). */
export function maskEverything(data: unknown): unknown {
  if (typeof data === 'string') return maskText(data)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, maskEverything(value)]))
}

/** Masks secret headers or query parameters. A Referer may contain a token, so only its origin and path are kept. */
export const maskEntries = (entries: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(entries).map(([name, value]) => {
      if (secretNames.test(name)) return [name, maskText(value)]
      return [name, name === 'referer' ? value.replace(/\?.*/, '?***') : value]
    }),
  )

/** Keeps enough of the end to distinguish two values. */
export const maskText = (value: unknown): string =>
  typeof value === 'string' && value.length > 12 ? `***${value.slice(-4)}` : '***'

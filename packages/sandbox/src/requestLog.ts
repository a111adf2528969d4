/** The requests that arrived, newest first, with secrets masked. In memory only: it is for looking, not for keeping. */

export interface LoggedRequest {
  id: number
  /** ISO 8601, by the sandbox's clock. */
  at: string
  /** The operation's name, or null for an address that has none. */
  operation: string | null
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  /** JSON with secrets masked, or null. */
  body: unknown
  /** Null when the connection was cut instead of an answer. */
  status: number | null
  ms: number
}

export interface RequestLog {
  add(request: Omit<LoggedRequest, 'id'>): void
  list(): LoggedRequest[]
  clear(): void
}

const kept = 1000

export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = []
  let next = 1
  return {
    add(request) {
      requests.push({ id: next++, ...request })
      if (requests.length > 2 * kept) requests = requests.slice(-kept)
    },
    list: () => requests.slice(-kept).reverse(),
    clear: () => {
      requests = []
    },
  }
}

const secretNames =
  /^(api[-_]?key|secret[-_]?key|access[-_]?token|authorization|cookie|card_number|security_code)$/i

/** The same data with the values of secret names masked, at any depth. */
export function maskSecrets(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(maskSecrets)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      secretNames.test(name) ? maskText(value) : maskSecrets(value),
    ]),
  )
}

/** Masks the entries of headers or a query. A Referer may hold a token: it keeps its origin and path only. */
export const maskEntries = (entries: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(entries).map(([name, value]) => {
      if (secretNames.test(name)) return [name, maskText(value)]
      return [name, name === 'referer' ? value.replace(/\?.*/, '?***') : value]
    }),
  )

/** Enough of the end to tell two apart. */
export const maskText = (value: unknown): string =>
  typeof value === 'string' && value.length > 12 ? `***${value.slice(-4)}` : '***'

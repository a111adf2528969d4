/** The error that all readers of untrusted input throw. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'

/** The reason for refusing a request. The message names the field and states the problem. */
export class Refusal extends Error {
  readonly status: ContentfulStatusCode
  readonly field: string | undefined

  constructor(status: ContentfulStatusCode, message: string, field?: string) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.field = field
  }
}

export const invalid = (field: string, problem: string): Refusal =>
  new Refusal(400, `${field}: ${problem}`, field)

export const unauthorized = (field: string, problem: string): Refusal =>
  new Refusal(401, `${field}: ${problem}`, field)

export const forbidden = (message: string, field?: string): Refusal => new Refusal(403, message, field)

export const notFound = (message: string): Refusal => new Refusal(404, message)

/** Parses untrusted input, or throws a refusal for the first problem found. */
export function parse<Output>(schema: z.ZodType<Output>, data: unknown, where: string): Output {
  const parsed = schema.safeParse(data, { reportInput: true })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  if (!issue) throw invalid(where, 'is not valid')
  throw refusalOf(issue, where)
}

function refusalOf(issue: z.core.$ZodIssue, where: string): Refusal {
  const path = issue.path.map(readable).join('.')
  if (issue.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys
    return invalid(path ? `${path}.${readable(name)}` : readable(name), 'is not known here')
  }
  const field = path || where
  const missing = issue.code === 'invalid_type' && issue.input === undefined
  return invalid(field, missing ? 'is required' : issue.message)
}

/** The name itself, or quoted when it is unusual: empty, with spaces, not printable. */
const readable = (name: PropertyKey): string =>
  /^[\w$-]+$/.test(String(name)) ? String(name) : JSON.stringify(String(name))

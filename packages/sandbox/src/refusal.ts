/** Why a request is refused: what anything that reads the outside's data throws. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'

/** Why a request is refused. The message names the field and says what is wrong with it. */
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

/** Parses the outside's data, or refuses it by the first thing that is wrong with it. */
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

/** A name as it is, or in quotes when it is an odd one: empty, with spaces, not printable. */
const readable = (name: PropertyKey): string =>
  /^[\w$-]+$/.test(String(name)) ? String(name) : JSON.stringify(String(name))

/** What the shop's backend may answer, checked once where it comes in. */
import { z } from 'zod'
import type { PurchaseDecision } from '../purchase/purchase.ts'
import { HookError, type HookName } from './hook.ts'

/** Who the shopper is, or where to sign in. */
export type AuthorizeAnswer =
  | { location: string }
  | { customId: string; userId?: string | undefined; formerly?: string[] | undefined }
  | { customId?: never; userId: string; formerly?: string[] | undefined }

/** What is sold, or why nothing is: a sentence for the shopper. The companion checks a decision's fields. */
export type CreatePurchaseAnswer = { refused: string } | PurchaseDecision

const id = z.string().min(1).max(200)
const formerly = z.array(id).max(20).optional()

const authorizeAnswer: z.ZodType<AuthorizeAnswer> = z.union([
  z.strictObject({ location: z.string().min(1).max(2_000) }),
  z.strictObject({ customId: id, userId: id.optional(), formerly }),
  z.strictObject({ userId: id, formerly }),
])

const decision: z.ZodType<PurchaseDecision> = z.strictObject({
  params: z.record(z.string(), z.string()),
  open: z.array(z.string()).exactOptional(),
  returnUrl: z.string().exactOptional(),
  failReturnUrl: z.string().exactOptional(),
  reference: z.string().exactOptional(),
  validFor: z.number().exactOptional(),
})

const createPurchaseAnswer: z.ZodType<CreatePurchaseAnswer> = z.union([
  z.strictObject({ refused: z.string().trim().min(1).max(500) }),
  decision,
])

export const readAuthorizeAnswer = (text: string): AuthorizeAnswer =>
  read(
    'authorize',
    text,
    authorizeAnswer,
    '{ "customId": text, "userId"?: text, "formerly"?: [text] }, { "location": address } or 401',
  )

export const readCreatePurchaseAnswer = (text: string): CreatePurchaseAnswer =>
  read(
    'createPurchase',
    text,
    createPurchaseAnswer,
    '{ "params": { name: text }, "returnUrl"?, "failReturnUrl"?, "open"?, "reference"?, "validFor"? } or { "refused": sentence }',
  )

/** @throws HookError that names the shape, never a value. */
function read<Answer>(hook: HookName, text: string, schema: z.ZodType<Answer>, shape: string): Answer {
  const result = schema.safeParse(parse(text))
  if (!result.success) throw new HookError(hook, `must answer ${shape}.`)
  return result.data
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, refusePrototype)
  } catch {
    return undefined
  }
}

/** A name that would change the prototype of what it is copied to. */
function refusePrototype(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('__proto__ is no field.')
  return value
}

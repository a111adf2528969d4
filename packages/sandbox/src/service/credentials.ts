/** Authentication: section 5 of the interface. Each credential reads its own location, and refuses invalid values. */
import { timingSafeEqual } from 'node:crypto'
import { forbidden, unauthorized } from '../refusal.ts'
import type { State } from '../state/state.ts'
import { requireToken } from '../state/tokens.ts'

/** A request before any validation. */
export interface RawRequest {
  headers: Record<string, string>
  query: Record<string, string>
  path: Record<string, string>
  body: unknown
}

export interface Credential {
  /** Names in OpenAPI's `securitySchemes`; all of them are required. */
  schemes: readonly SecurityScheme[]
  /** @throws Refusal (401, or 403 for a key without permission). */
  check(state: State, request: RawRequest): void
}

export type SecurityScheme = 'apiKey' | 'secretKey' | 'accessToken'

function requireSecret(field: string, given: unknown, expected: string): void {
  if (given === undefined || given === '') throw unauthorized(field, 'is required')
  if (typeof given !== 'string' || !equal(given, expected)) throw unauthorized(field, 'is not a known key')
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Section 4.1: both keys as headers. */
export const bothKeys: Credential = {
  schemes: ['apiKey', 'secretKey'],
  check(state, { headers }) {
    requireSecret('api-key', headers['api-key'], state.credentials.apiKey)
    requireSecret('secret-key', headers['secret-key'], state.credentials.secretKey)
  },
}

/** Sections 4.4, 4.5 and 5.3: the key as a header, with permission to read details. */
export const readingKey: Credential = {
  schemes: ['apiKey'],
  check(state, { headers }) {
    requireSecret('api-key', headers['api-key'], state.credentials.apiKey)
    if (state.switches.keyPermission === 'missing')
      throw forbidden('api-key: may not read subscription and transaction details', 'api-key')
  },
}

/** Sections 4.2 and 4.3: the access token as a query parameter, valid and refreshed. */
export const accessToken: Credential = {
  schemes: ['accessToken'],
  check: (state, { query }) => void requireToken(state, query.accessToken),
}

/** Section 4.7: the key in the body. */
export const keyInBody: Credential = {
  schemes: [],
  check: (state, { body }) => requireSecret('api_key', bodyKey(body), state.credentials.apiKey),
}

/** Section 4.6: the key in the body, and in the header that the section also lists (U20). */
export const keyInHeaderAndBody: Credential = {
  schemes: ['apiKey'],
  check(state, request) {
    const header = request.headers['api-key']
    if (header !== undefined || state.switches.userKeyHeader === 'required')
      requireSecret('api-key', header, state.credentials.apiKey)
    keyInBody.check(state, request)
  },
}

const bodyKey = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'api_key' in body ? body.api_key : undefined

/** Access tokens: sections 4.1 and 4.2 of the interface, which does not show the shape of the responses (U1, U2). */
import { z } from 'zod'
import type { Switches } from '../simulation/switches.ts'
import { createToken, expirationDays, requireToken } from '../state/tokens.ts'
import { accessToken, bothKeys } from './credentials.ts'
import { type WireDate, wireDateSchema, writeDate } from './date.ts'
import { type ServiceOperation, serviceOperation } from './operation.ts'

const tokenResponse = z.union([
  z.object({ accessToken: z.string() }),
  z.object({ access_token: z.string() }),
  z.object({ token: z.string() }),
  z.object({ data: z.object({ accessToken: z.string() }) }),
  z.object({ data: z.object({ data: z.object({ accessToken: z.string() }) }) }),
  z.string(),
  z.object({ result: z.object({ value: z.string() }) }),
])

/** Null, or the word `infinite`, for a token that never expires. */
type Expiry = WireDate | null
const expiry: z.ZodType<Expiry> = wireDateSchema.nullable()

const expiryResponse = z.union([
  z.object({ expire_date: expiry }),
  z.object({ expireDate: expiry }),
  z.object({ expires_at: expiry }),
  z.object({ expiresAt: expiry }),
  z.object({ data: z.object({ expire_date: expiry }) }),
  expiry,
  z.object({ result: z.object({ until: expiry }) }),
])

const tokenAnswers: Record<Switches['tokenResponse'], (token: string) => z.infer<typeof tokenResponse>> = {
  accessToken: (token) => ({ accessToken: token }),
  access_token: (token) => ({ access_token: token }),
  token: (token) => ({ token }),
  nested: (token) => ({ data: { accessToken: token } }),
  nestedTwice: (token) => ({ data: { data: { accessToken: token } } }),
  bare: (token) => token,
  unrecognized: (token) => ({ result: { value: token } }),
}

const expiryAnswers: Record<Switches['expiryResponse'], (date: Expiry) => z.infer<typeof expiryResponse>> = {
  expire_date: (date) => ({ expire_date: date }),
  expireDate: (date) => ({ expireDate: date }),
  expires_at: (date) => ({ expires_at: date }),
  expiresAt: (date) => ({ expiresAt: date }),
  nested: (date) => ({ data: { expire_date: date } }),
  bare: (date) => date,
  unrecognized: (date) => ({ result: { until: date } }),
}

export const tokenOperations: readonly ServiceOperation[] = [
  serviceOperation({
    name: 'createAccessToken',
    section: '4.1',
    summary: 'Create an access token',
    method: 'post',
    path: '/api/widget/refresh/access_token',
    credential: bothKeys,
    body: z.object({
      expirationDays: z
        .enum(expirationDays, `must be one of ${expirationDays.join(', ')}`)
        .default('30')
        .describe('The number of days that the token is valid.'),
    }),
    response: tokenResponse,
    run: (state, { body }) =>
      tokenAnswers[state.switches.tokenResponse](createToken(state, body.expirationDays).token),
  }),
  serviceOperation({
    name: 'getTokenExpiry',
    section: '4.2',
    summary: 'Get an access token’s expiry date',
    method: 'get',
    path: '/api/widget/refresh/access_token/expire_date',
    credential: accessToken,
    query: z.object({ accessToken: z.string().describe('The refreshed access token.') }),
    response: expiryResponse,
    run(state, { query }) {
      const { switches } = state
      const { expires_at } = requireToken(state, query.accessToken)
      const never = switches.infiniteExpiry === 'null' ? null : 'infinite'
      const date = expires_at === null ? never : writeDate(switches, expires_at)
      return expiryAnswers[switches.expiryResponse](date)
    },
  }),
]

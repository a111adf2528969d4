/** Access tokens: sections 4.1 and 4.2 of the interface, whose answers have a shape that it does not show (U1, U2). */
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
        .describe('How many days the token lives.'),
    }),
    response: tokenResponse,
    run: (state, { body }) => tokenAnswer(state.switches, createToken(state, body.expirationDays).token),
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
      const { expires_at } = requireToken(state, query.accessToken)
      return expiryAnswer(
        state.switches,
        expires_at === null ? never(state.switches) : writeDate(state.switches, expires_at),
      )
    },
  }),
]

function tokenAnswer(switches: Switches, accessToken: string): z.infer<typeof tokenResponse> {
  switch (switches.tokenResponse) {
    case 'accessToken':
      return { accessToken }
    case 'access_token':
      return { access_token: accessToken }
    case 'token':
      return { token: accessToken }
    case 'nested':
      return { data: { accessToken } }
    case 'nestedTwice':
      return { data: { data: { accessToken } } }
    case 'bare':
      return accessToken
    case 'unrecognized':
      return { result: { value: accessToken } }
  }
}

const never = (switches: Switches): Expiry => (switches.infiniteExpiry === 'null' ? null : 'infinite')

function expiryAnswer(switches: Switches, expire_date: Expiry): z.infer<typeof expiryResponse> {
  switch (switches.expiryResponse) {
    case 'expire_date':
      return { expire_date }
    case 'expireDate':
      return { expireDate: expire_date }
    case 'expires_at':
      return { expires_at: expire_date }
    case 'expiresAt':
      return { expiresAt: expire_date }
    case 'nested':
      return { data: { expire_date } }
    case 'bare':
      return expire_date
    case 'unrecognized':
      return { result: { until: expire_date } }
  }
}

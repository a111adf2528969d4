/** Creates an access token: section 4.1 of the interface. */
import { z } from 'zod'
import type { Switches } from '../../simulation/switches.ts'
import { createToken, expirationDays } from '../../state/tokens.ts'
import { bothKeys } from '../credentials.ts'
import { defineServiceOperation, type ServiceOperation } from '../operation.ts'

const tokenResponse = z.union([
  z.object({ accessToken: z.string() }),
  z.object({ access_token: z.string() }),
  z.object({ token: z.string() }),
  z.object({ data: z.object({ accessToken: z.string() }) }),
  z.object({ data: z.object({ data: z.object({ accessToken: z.string() }) }) }),
  z.string(),
  z.object({ result: z.object({ value: z.string() }) }),
])

/** Section 4.1. The shape of the answer is not shown (U1). */
export const createAccessToken: ServiceOperation = defineServiceOperation({
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
  run: (state, { body }) => shape(state.switches, createToken(state, body.expirationDays).token),
})

function shape(switches: Switches, accessToken: string): z.infer<typeof tokenResponse> {
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

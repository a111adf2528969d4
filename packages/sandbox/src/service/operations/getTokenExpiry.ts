/** Gives a token’s expiry: section 4.2 of the interface. */
import { z } from 'zod'
import type { Switches } from '../../simulation/switches.ts'
import { requireToken } from '../../state/tokens.ts'
import { accessToken } from '../credentials.ts'
import { defineServiceOperation, type ServiceOperation } from '../operation.ts'
import { type WireDate, wireDateSchema, writeDate } from '../records/date.ts'

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

/** Section 4.2. The shape of the answer is not shown (U2), nor the format of the date (U5). */
export const getTokenExpiry: ServiceOperation = defineServiceOperation({
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
    return shape(
      state.switches,
      expires_at === null ? never(state.switches) : writeDate(state.switches, expires_at),
    )
  },
})

const never = (switches: Switches): Expiry => (switches.infiniteExpiry === 'null' ? null : 'infinite')

function shape(switches: Switches, expire_date: Expiry): z.infer<typeof expiryResponse> {
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

/** One instance of a merchant's server, as a process: leases the token for many callers at once. Driven by messages. */
import { Pool } from 'pg'
import {
  createPurchaseClient,
  createTokenLease,
  type PurchaseClientOptions,
  type TokenLease,
} from '../../src/index.ts'
import { postgresStore } from '../../src/stores/postgres.ts'

export type Command =
  | { do: 'start'; client: PurchaseClientOptions; url: string; schema: string }
  | { do: 'get'; times: number }

export interface Answer {
  /** Each token that a caller got, once. */
  tokens: string[]
  errors: string[]
}

let lease: TokenLease | undefined

process.on('message', async (command: Command) => {
  if (command.do === 'start') {
    const pool = new Pool({ connectionString: command.url })
    const store = postgresStore(pool, { schema: command.schema })
    lease = createTokenLease({ client: createPurchaseClient(command.client), store })
    reply({ tokens: [], errors: [] })
    return
  }
  const results = await Promise.allSettled(Array.from({ length: command.times }, () => lease?.get()))
  reply({
    tokens: [
      ...new Set(results.flatMap((r) => (r.status === 'fulfilled' && r.value ? [r.value.accessToken] : []))),
    ],
    errors: results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : [])),
  })
})

const reply = (answer: Answer): void => void process.send?.(answer)

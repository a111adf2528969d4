/** One instance of a merchant's server, as a process: leases the token for many callers at once. Driven by messages. */
import { Redis } from 'ioredis'
import {
  createPurchaseClient,
  createTokenLease,
  type PurchaseClientOptions,
  type TokenLease,
} from '../../src/index.ts'
import { redisStore } from '../../src/stores/redis.ts'

export type Command =
  | { do: 'start'; client: PurchaseClientOptions; socket: string; prefix: string }
  | { do: 'get'; times: number }

export interface Answer {
  /** Each token that a caller got, once. */
  tokens: string[]
  errors: string[]
}

let lease: TokenLease | undefined

process.on('message', async (command: Command) => {
  if (command.do === 'start') {
    const redis = new Redis(command.socket)
    redis.on('error', () => {})
    const store = redisStore(redis, { prefix: command.prefix })
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

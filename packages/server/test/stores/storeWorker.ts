/** A process of its own with a store over the same data as the test's: it does one thing for each message, until it is killed. */
import pg from 'pg'
import { createPurchaseClient, createTokenLease, type TokenLease } from '../../src/index.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import type { StoreCommand, StoreOf, Tokens } from './storeProcess.ts'

const open = (of: StoreOf): Store =>
  of.kind === 'sqlite'
    ? sqliteStore(of.file)
    : postgresStore(new pg.Pool({ connectionString: of.url }), { schema: of.schema })

const store = open(JSON.parse(process.argv[2] ?? '') as StoreOf)
let lease: TokenLease | undefined

const commands: {
  [Do in StoreCommand['do']]: (command: Extract<StoreCommand, { do: Do }>) => Promise<unknown>
} = {
  claimPurchases: ({ ids, orderId }) => Promise.all(ids.map((id) => store.purchases.claim(id, orderId))),
  holdLock: ({ key }) =>
    new Promise((held) => {
      store.withLock(key, () => {
        held(null)
        return new Promise(() => {})
      })
    }),
  async leaseToken({ client, callers }): Promise<Tokens> {
    const { get } = lease ?? createTokenLease({ client: createPurchaseClient(client), store })
    lease = { get }
    const results = await Promise.allSettled(Array.from({ length: callers }, () => get()))
    const given = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value.accessToken] : []))
    const errors = results.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    return { tokens: [...new Set(given)], errors }
  },
}

process.on('message', async (command: StoreCommand) => {
  process.send?.(await commands[command.do](command as never))
})
process.send?.('ready')

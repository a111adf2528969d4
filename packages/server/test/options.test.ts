// Promise: companion/options
/** Options of every function that takes some: what is wrong is refused at once, by name. */
import { createSandbox } from '@purchase-widget/sandbox'
import { expect, test } from 'vitest'
import { toLambdaHandler } from '../src/adapters/lambda.ts'
import {
  clientFromEnv,
  createCompanion,
  createPurchaseClient,
  createTokenLease,
  guests,
  isInvalidInputError,
  memoryStore,
  type PurchaseError,
  type Store,
  toNodeHandler,
} from '../src/index.ts'
import { postgresStore } from '../src/stores/postgres.ts'
import { settings, variables } from './support/settings.ts'

type Create = (options: unknown) => unknown

const client = createPurchaseClient(settings)
const companion = { fetch: async (): Promise<Response> => new Response() }
const pool = { query: async () => ({ rows: [] }), connect: () => Promise.reject(new Error('not connected')) }

/** With what it needs, and the options of a test, which may be of any type. */
const withOptions = (needed: object, options: unknown): never =>
  (typeof options === 'object' && options !== null ? { ...needed, ...options } : options) as never

const owners = {
  createPurchaseClient: (options) => createPurchaseClient(withOptions(settings, options)),
  clientFromEnv: (options) => clientFromEnv(variables, options as never),
  createCompanion: (options) => createCompanion(withOptions({ authorize: () => null }, options)),
  memoryStore: (options) => memoryStore(options as never),
  createTokenLease: (options) => createTokenLease(withOptions({ client }, options)),
  postgresStore: (options) => postgresStore(pool as never, options as never),
  guests: (options) => guests(options as never),
  toNodeHandler: (options) => toNodeHandler(companion, options as never),
  toLambdaHandler: (options) => toLambdaHandler(companion, options as never),
} satisfies Record<string, Create>

type Owner = keyof typeof owners
const names = Object.keys(owners) as Owner[]

/** The message of the refusal. */
function refusalOf(create: () => unknown): string {
  try {
    create()
  } catch (error) {
    expect(error).toSatisfy(isInvalidInputError)
    return (error as PurchaseError).problem
  }
  throw new Error('it was accepted')
}

test.each(names)('%s refuses options that are no object, and an option that it does not have', (name) => {
  const create: Create = owners[name]
  for (const options of [null, 'options', 5, () => {}]) {
    expect(refusalOf(() => create(options))).toMatch(`the options of ${name} must be an object`)
  }
  expect(refusalOf(() => create({ nou: 1 }))).toMatch(new RegExp(`^${name} has no option nou, only \\w+`))
  expect(() => create({})).not.toThrow()
})

test.each(['createCompanion', 'memoryStore', 'createTokenLease'] as const)(
  '%s refuses a clock that does not return milliseconds',
  (name) => {
    const create: Create = owners[name]
    const seconds = (): number => Math.floor(Date.now() / 1_000)
    const wrong = [5, null, seconds, () => new Date(), () => Number.NaN, async () => Date.now(), () => 'x']
    for (const now of [...wrong, () => Number.POSITIVE_INFINITY]) {
      expect(refusalOf(() => create({ now }))).toMatch(/^now must be a function that returns milliseconds/)
    }
    for (const now of [Date.now, undefined, () => 2e12]) expect(() => create({ now })).not.toThrow()
  },
)

test.each<[Owner, object, RegExp]>([
  ['createPurchaseClient', { timeoutMs: null }, /^timeoutMs must be a whole number from 1 to 600000/],
  ['createPurchaseClient', { fetch: 5 }, /^fetch must be a function/],
  ['createPurchaseClient', { logger: 'x' }, /^logger must be a function/],
  ['createPurchaseClient', { baseUrl: Symbol('x') }, /^baseUrl must be a full address/],
  ['clientFromEnv', { maxRetries: null }, /^maxRetries must be a whole number from 0 to 10/],
  ['clientFromEnv', { baseUrl: 'https://api.example' }, /^clientFromEnv has no option baseUrl/],
  ['createCompanion', { url: Object.create(null) }, /^url must be a full address/],
  ['createTokenLease', { client: undefined }, /^client must be a client/],
  ['createTokenLease', { client: {} }, /^client must be a client/],
  [
    'createTokenLease',
    { client: { ...client, accessTokens: { create: () => {} } } },
    /^client must be a client/,
  ],
  ['createTokenLease', { expirationDays: '8' }, /^expirationDays must be '7'/],
  ['createTokenLease', { allowInfinite: 'true' }, /^allowInfinite must be true or false/],
  ['createTokenLease', { store: {} }, /^store must be a store/],
  ['postgresStore', { schema: null }, /^schema must be at most 40/],
  ['guests', { secret: 5 }, /^secret must be text/],
  ['guests', { authorize: 'x' }, /^authorize must be a function/],
  ['toNodeHandler', { context: {} }, /^context must be a function/],
  ['toNodeHandler', { context: null }, /^context must be a function/],
  ['toLambdaHandler', { trustProxy: null }, /^trustProxy must be the number/],
])('%s refuses %o', (name, options, message) => {
  const create: Create = owners[name]
  expect(refusalOf(() => create(options))).toMatch(message)
})

test('createPurchaseClient takes the addresses of a sandbox as they are', async () => {
  const sandbox = await createSandbox()
  expect(() => createPurchaseClient({ ...sandbox.urls, ...sandbox.credentials })).not.toThrow()
  await sandbox.close()
})

test.each([null, 'x', 5])('clientFromEnv needs an environment, not %j', (env) => {
  expect(refusalOf(() => clientFromEnv(env as never))).toMatch(/clientFromEnv\(process\.env\)/)
})

test('clientFromEnv takes a variable that is no text for a missing one', () => {
  const env = { ...variables, PURCHASE_API_KEY: 5 } as never
  expect(refusalOf(() => clientFromEnv(env))).toBe('set PURCHASE_API_KEY.')
})

test('createCompanion refuses a store that lacks any function', () => {
  const store = memoryStore()
  const lacking: [string, object][] = Object.entries(store).flatMap(([name, part]) => {
    if (typeof part === 'boolean') return []
    if (typeof part === 'function') return [[name, { ...store, [name]: undefined }]]
    const functions = Object.keys(part as object)
    return functions.map((one): [string, object] => [
      `${name}.${one}`,
      { ...store, [name]: { ...(part as object), [one]: undefined } },
    ])
  })
  expect(lacking.map(([name]) => name)).toEqual(
    expect.arrayContaining(['get', 'jobs.bury', 'purchases.find', 'sweep']),
  )
  for (const [name, poor] of lacking) {
    expect(
      refusalOf(() => createCompanion({ authorize: () => null, store: poor as Store })),
      name,
    ).toMatch(/^store must be a store/)
  }
})

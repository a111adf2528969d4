/** The schema of the configuration file: the source of `serve.schema.json`, and of the messages about mistakes. */
import { z } from 'zod'
import { compileTrust, type TrustProxy } from '../adapters/node.ts'
import { checkEndpoint } from '../client/settings.ts'
import type { CompanionOptions } from '../companion/options.ts'
import { checkUrl, originOf } from '../companion/place.ts'
import { problemOf } from '../errors.ts'

/** The address of one hook of the shop's backend, and how long it may take. */
export interface HookAddress {
  url: string
  timeoutMs: number
}

/** A hook that has no address where something else replaces it. */
type OptionalHook = Partial<Pick<HookAddress, 'url'>> & Pick<HookAddress, 'timeoutMs'>

export interface JwtSettings {
  /** The cookie that holds the token; without it the bearer token of `Authorization`. */
  cookie?: string
  /** Exactly one of `jwks` and `secret`. */
  jwks?: string
  /** For tokens that the shop signs itself. */
  secret?: string
  issuer?: string
  audience?: string
  /** Which claim is the shopper's id. Default `sub`. */
  claim?: string
}

/** The contents of the file, with the defaults filled in, and the secrets that the environment has. */
export interface Configuration extends Pick<CompanionOptions, 'allowedOrigins' | 'carry' | 'rateLimit'> {
  $schema?: string
  url: string
  host: string
  port: number
  trustProxy: TrustProxy
  store: { sqlite?: string; postgres?: string }
  /** Signs hooks and verifies their answers. */
  secret: string
  authorize: OptionalHook & { jwt?: JwtSettings }
  createPurchase: OptionalHook & { catalogue?: string }
  onOrder: HookAddress
}

/** Builds the message for a missing or wrong value: what it must be. */
export const must =
  (be: string) =>
  (issue: { input?: unknown }): string =>
    issue.input === undefined ? `is missing. It must be ${be}.` : `must be ${be}.`

/** An object with these keys only. */
export const object = <Shape extends z.core.$ZodLooseShape>(
  be: string,
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> => {
  const known = Object.keys(shape).filter((name) => name !== '$schema')
  const unknown = `is unknown. Remove it, or use one of: ${known.join(', ')}.`
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknown : must(be)(issue)),
  })
}

export const text = (be: string): z.ZodString =>
  z.string({ error: must(be) }).min(1, { error: must(be), abort: true })

const whole = (from: number, to: number, what: string) => {
  const error = must(`${what}, from ${from} to ${to}`)
  return z.int({ error }).min(from, { error }).max(to, { error })
}

const environmentName =
  'the name of an environment variable, in capitals, e.g. { "env": "PURCHASE_HOOK_SECRET" }'

/**
 * The file never contains a secret, only the name of the variable that holds it.
 *
 * @param be what the secret must be.
 */
const fromEnvironment = (isRight: (secret: string) => boolean, be: string, hint = '') =>
  object(`${environmentName}: this file must not contain secrets`, {
    env: z
      .string({ error: must(environmentName) })
      .regex(/^[A-Z][A-Z0-9_]{0,99}$/, { error: must(environmentName), abort: true }),
  }).transform(({ env }, context) => {
    const secret = process.env[env]?.trim() ?? ''
    if (isRight(secret)) return secret
    const problem = secret === '' ? 'is not set' : `must ${be}`
    const message = `names ${env}, which ${problem}.${hint}`
    context.addIssue({ code: 'custom', path: ['env'], message, continue: true })
    return secret
  })

/** 24 to 64 bytes as base64. */
const isHookSecret = (secret: string): boolean => /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(secret)

const isPostgresUrl = (secret: string): boolean => /^postgres(ql)?:$/.test(URL.parse(secret)?.protocol ?? '')

/** The message is that of the check, which names the setting first; the place in the file does so already. */
const checkedBy =
  <Value>(check: (value: Value, name: string) => unknown) =>
  (value: Value, context: z.RefinementCtx): void => {
    const problem = problemOf(() => check(value, ''))
    if (problem !== null) context.addIssue(problem.trim())
  }

const endpoint = (what: string) => text(what).superRefine(checkedBy(checkEndpoint))

/** A store that loses its data at a restart would lose paid orders. */
const sqliteFile = 'the path of a SQLite file, e.g. "purchases.sqlite"; not :memory:, which loses its data'

const hookUrl = endpoint('the address of your hook')

const timeout = (milliseconds: number) =>
  whole(100, 60_000, 'a whole number of milliseconds').default(milliseconds)

/** An object with exactly one of `names`: editors learn that from the schema, people from the message. */
function oneOf<Shape extends z.core.$ZodLooseShape>(shape: Shape, names: readonly string[], example: string) {
  const list = names.map((name) => `"${name}"`).join(' or ')
  return object(`an object with ${list}, e.g. ${example}`, shape)
    .refine((value) => names.filter((name) => Reflect.get(value, name) !== undefined).length === 1, {
      error: `must have exactly one of ${list}, e.g. ${example}.`,
      abort: true,
    })
    .meta({ oneOf: names.map((name) => ({ required: [name] })) })
}

const hookExample = (name: string): string => `{ "url": "http://127.0.0.1:8000/hooks/${name}" }`

const jwt = oneOf(
  {
    cookie: text('the name of the cookie that holds the token').exactOptional(),
    jwks: endpoint("the address of your issuer's JSON Web Key Set").exactOptional(),
    secret: fromEnvironment(
      (secret) => Buffer.byteLength(secret) >= 32,
      'have at least 32 bytes',
    ).exactOptional(),
    issuer: text('the "iss" of your tokens').exactOptional(),
    audience: text('the "aud" of your tokens').exactOptional(),
    claim: text('the claim that holds the shopper’s id').exactOptional(),
  },
  ['jwks', 'secret'],
  '{ "cookie": "session", "secret": { "env": "SESSION_SECRET" } }',
)
  .refine(({ jwks, issuer }) => jwks === undefined || issuer !== undefined, {
    error: 'must have an "issuer" as well as "jwks": one key set may sign for several.',
  })
  .describe(
    'Reads the shopper from a signed token. Without `cookie` it is the bearer token of `Authorization`.',
  )

const origin = () => {
  const be = 'an origin without a path, e.g. "https://shop.example"'
  return text(be).refine((value) => originOf(value) === value, { error: must(be) })
}

const proxies = must('the number of proxies in front, or their addresses, e.g. 1 or ["10.0.0.0/8"]')

export const configurationSchema: z.ZodType<Configuration> = object(
  'an object: { "url": …, "secret": …, "authorize": …, "createPurchase": …, "onOrder": … }',
  {
    $schema: z.string({ error: must('the address of the Schema') }).exactOptional(),
    url: text('the public address of the companion, e.g. "https://shop.example/api/purchase-widget"')
      .superRefine(checkedBy(checkUrl))
      .describe(
        'Where shoppers’ browsers find the companion: your shop’s origin and the path that your proxy passes on.',
      ),
    host: text('an address to listen on, e.g. "127.0.0.1"')
      .default('127.0.0.1')
      .describe('The address to listen on.'),
    port: whole(0, 65_535, 'a port').default(3100).describe('The port to listen on. 0: any that is free.'),
    trustProxy: z
      .union([z.int().min(0, { abort: true }).max(10, { abort: true }), z.array(z.string()).max(100)], {
        error: proxies,
      })
      .refine((value) => problemOf(() => compileTrust(value)) === null, { error: proxies })
      .default(['127.0.0.0/8', '::1'])
      .describe('Proxies whose X-Forwarded-* headers are believed. Default: those on this host.'),
    allowedOrigins: z
      .array(origin(), { error: must('a list of origins, e.g. ["https://shop.example"]') })
      .min(1, { error: must('a list of origins, e.g. ["https://shop.example"], or left out') })
      .exactOptional()
      .describe('Origins of the pages that may call the companion. Default: the origin of `url`.'),
    store: oneOf(
      {
        sqlite: text(sqliteFile)
          .refine((path) => path !== ':memory:', { error: must(sqliteFile) })
          .exactOptional(),
        postgres: fromEnvironment(
          isPostgresUrl,
          'be an address such as postgres://user:password@host/database',
        ).exactOptional(),
      },
      ['sqlite', 'postgres'],
      '{ "sqlite": "purchases.sqlite" }',
    )
      .prefault({ sqlite: 'purchases.sqlite' })
      .describe(
        'A SQLite file, relative to this file, for one host; or Postgres for several, by an address from the environment.',
      ),
    secret: fromEnvironment(
      isHookSecret,
      'be whsec_ and 24 to 64 random bytes as base64',
      ' Make one: echo "whsec_$(openssl rand -base64 32)"',
    ).describe(
      'The variable with the secret that signs hooks and their answers: whsec_ and 24 to 64 bytes as base64.',
    ),
    authorize: oneOf(
      { url: hookUrl.exactOptional(), timeoutMs: timeout(3_000), jwt: jwt.exactOptional() },
      ['url', 'jwt'],
      hookExample('authorize'),
    ).describe('Says who the shopper is.'),
    createPurchase: oneOf(
      {
        url: hookUrl.exactOptional(),
        timeoutMs: timeout(5_000),
        catalogue: text('the path of a file of products and prices, e.g. "catalogue.json"').exactOptional(),
      },
      ['url', 'catalogue'],
      '{ "catalogue": "catalogue.json" }',
    ).describe('Says what is sold, and at which price.'),
    onOrder: object(`an object, e.g. ${hookExample('order')}`, {
      url: hookUrl,
      timeoutMs: timeout(30_000),
    }).describe('Receives every state of every order.'),
    carry: z
      .enum(['return_url', 'custom_id'], { error: must('"return_url" or "custom_id"') })
      .exactOptional(),
    rateLimit: object('an object, e.g. { "perShopper": 60, "perAddress": 600 }', {
      perShopper: whole(1, 100_000, 'calls per minute').exactOptional(),
      perAddress: whole(1, 100_000, 'calls per minute').exactOptional(),
    }).exactOptional(),
  },
)

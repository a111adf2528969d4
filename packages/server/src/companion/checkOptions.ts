/**
 * Checks a companion's options where they come in, so that a misspelt one is not taken for a missing one, and a wrong one is told
 * before the first order. Messages name the option and say what it may be, never what it was.
 */
import { InvalidInputError } from '../errors.ts'
import { DAY_MS } from '../purchase/decision.ts'
import { canDo, isObject } from '../unknown.ts'
import { isLinkParam } from './asked.ts'
import type { CompanionOptions } from './options.ts'
import { checkUrl, originOf } from './setting.ts'

/** Throws `InvalidInputError`. */
type Check = (value: unknown, name: string) => void

const checks: Record<keyof CompanionOptions, Check> = {
  // It says itself what an address may be.
  url: (value) => void checkUrl(String(value)),
  authorize: must(isFunction, 'be a function of the request that says who is signed in, or null for nobody'),
  createPurchase: must(isFunction, 'be a function that says what is sold'),
  onOrder: must(isFunction, 'be a function that delivers an order'),
  onUser: must(isFunction, 'be a function'),
  store: must(
    (value) => isObject(value) && ['purchases', 'jobs', 'handled'].every((name) => isObject(value[name])),
    'be a store: sqliteStore(file), postgresStore(pool), memoryStore(), or one of your own',
  ),
  client: must(
    (value) =>
      isObject(value) && ['accessTokens', 'orders', 'transactions'].every((name) => isObject(value[name])),
    'be a client: createPurchaseClient({ … }), or clientFromEnv(process.env)',
  ),
  tokens: must((value) => canDo(value, 'get'), 'be a lease: createTokenLease({ client, store })'),
  allowedOrigins(value) {
    if (!Array.isArray(value)) throw wrong('allowedOrigins must be a list, e.g. ["https://shop.example"].')
    const other = value.find((origin) => typeof origin !== 'string' || originOf(origin) !== origin)
    if (other === undefined) return
    throw wrong(`allowedOrigins: ${String(other)} is not an origin such as https://shop.example.`)
  },
  pageToken: must((value) => typeof value === 'boolean', 'be true or false'),
  linkParams: must(
    (value) => Array.isArray(value) && value.every(isLinkParam),
    'be a list of names of parameters: no address, no field of a person, and none that the companion sets',
  ),
  carry: must((value) => value === 'return_url' || value === 'custom_id', 'be return_url or custom_id'),
  rateLimit: checkRateLimit,
  onOrderTimeout: must(
    (value) => typeof value === 'number' && value >= 1_000 && value <= DAY_MS,
    'be a number of milliseconds, from 1000 to 86400000 (a day), e.g. 30000 for half a minute',
  ),
  onError: must(isFunction, 'be a function of the failure'),
  now: must(isFunction, 'be a function that gives milliseconds since 1970, such as Date.now'),
}

/**
 * @throws InvalidInputError that names the option.
 */
export function checkOptions(options: CompanionOptions): void {
  if (!isObject(options)) throw wrong('createCompanion needs options: at least { authorize }.')
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(checks, name)) throw wrong(`createCompanion has no option ${name}.`)
  }
  if (options.authorize === undefined) {
    throw wrong(
      'createCompanion needs authorize(request), which says who is signed in; return null for nobody.',
    )
  }
  if (options.linkParams?.length && !options.createPurchase) {
    throw wrong('linkParams needs createPurchase: anybody can write a link.')
  }
  for (const [name, check] of Object.entries(checks)) {
    // Its keys are the options' names.
    const value = options[name as keyof CompanionOptions]
    if (value !== undefined) check(value, name)
  }
}

function checkRateLimit(value: unknown): void {
  const shape = 'e.g. { perShopper: 60, perAddress: 600 }, in calls per minute'
  if (!isObject(value)) throw wrong(`rateLimit must be an object, ${shape}.`)
  for (const [name, limit] of Object.entries(value)) {
    if (name !== 'perShopper' && name !== 'perAddress') throw wrong(`rateLimit has no ${name}: ${shape}.`)
    if (limit !== undefined && !(typeof limit === 'number' && limit >= 1)) {
      throw wrong(`rateLimit.${name} must be a number of calls per minute, at least 1.`)
    }
  }
}

function must(isRight: (value: unknown) => boolean, be: string): Check {
  return (value, name) => {
    if (!isRight(value)) throw wrong(`${name} must ${be}.`)
  }
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function wrong(message: string): InvalidInputError {
  return new InvalidInputError('configuration', message)
}

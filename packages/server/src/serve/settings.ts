/** From the configuration file and the environment to what `serve` runs with. Reads files, calls nobody. */
import { basename, dirname, resolve } from 'node:path'
import { clientFromEnv } from '../client/createPurchaseClient.ts'
import { InvalidInputError } from '../errors.ts'
import { checkDecision } from '../purchase/decision.ts'
import { type Catalogue, catalogueSchema } from './catalogue.ts'
import { type Configuration, configurationSchema, type FromEnvironment } from './configuration.ts'
import { ConfigurationError, type JsonFile, type Mistake, readJsonFile } from './readJsonFile.ts'

export interface Settings {
  readonly configuration: Configuration
  /** Signs hooks and verifies their answers. */
  readonly secret: string
  /** Of tokens that the shop signs itself; null where there is none. */
  readonly jwtSecret: string | null
  readonly postgresUrl: string | null
  /** Absolute; of no use where Postgres is named. */
  readonly sqliteFile: string
  /** Null where a hook says what is sold. */
  readonly catalogue: Catalogue | null
  /** A mistake at a place of the file, for what only shows at the start. */
  readonly mistakeAt: JsonFile<Configuration>['mistakeAt']
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * @param path of the configuration file.
 * @throws ConfigurationError with every mistake of the file, of the catalogue that it names, and of the environment.
 */
export function readSettings(path: string, environment: Environment): Settings {
  const unreadable = 'cannot be read as UTF-8. Name the file with --config.'
  const file = readJsonFile(path, configurationSchema, {
    file: path,
    line: null,
    path: '',
    problem: unreadable,
  })
  const { authorize, createPurchase, store, secret } = file.value
  const mistakes: Mistake[] = []
  /** Goes on after a mistake, so that one run names them all. */
  function attempt<Value>(read: () => Value): Value | null {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      mistakes.push(...error.mistakes)
      return null
    }
  }
  const variable = (from: FromEnvironment | undefined, at: string, check: Check): string | null =>
    from ? attempt(() => readVariable(file, from.env, at, environment, check)) : null
  const inFolder = (name: string): string => resolve(dirname(path), name)
  const { catalogue } = createPurchase
  attempt(() => checkService(path, environment))
  const settings = {
    configuration: file.value,
    secret: variable(secret, 'secret', checkHookSecret) ?? '',
    jwtSecret: variable(authorize.jwt?.secret, 'authorize.jwt.secret', checkJwtSecret),
    postgresUrl: variable(store.postgres, 'store.postgres', checkPostgresUrl),
    sqliteFile: inFolder(store.sqlite ?? ''),
    catalogue: catalogue === undefined ? null : attempt(() => readCatalogue(inFolder(catalogue), file)),
    mistakeAt: file.mistakeAt,
  }
  if (mistakes.length > 0) throw new ConfigurationError(mistakes)
  return settings
}

/** What a variable must be; null when it is that. */
type Check = (value: string) => string | null

function readVariable(
  { mistakeAt }: JsonFile<unknown>,
  name: string,
  at: string,
  environment: Environment,
  check: Check,
): string {
  const value = environment[name]?.trim() ?? ''
  const problem = value === '' ? 'is not set' : check(value)
  if (problem === null) return value
  const hint = check === checkHookSecret ? ' Make one: echo "whsec_$(openssl rand -base64 32)"' : ''
  throw new ConfigurationError([
    mistakeAt([...at.split('.'), 'env'], `names ${name}, which ${problem}.${hint}`),
  ])
}

const checkHookSecret: Check = (value) => {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+)=*$/.exec(value) ?? []
  const { length } = Buffer.from(encoded, 'base64')
  return length >= 24 && length <= 64 ? null : 'must be whsec_ and 24 to 64 random bytes as base64'
}

const checkJwtSecret: Check = (value) =>
  Buffer.byteLength(value) >= 32 ? null : 'must have at least 32 bytes'

const checkPostgresUrl: Check = (value) =>
  /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? '')
    ? null
    : 'must be an address such as postgres://user:password@host/database'

/** The service's addresses and keys come from the environment, as for every command. */
function checkService(path: string, environment: Environment): void {
  try {
    clientFromEnv({ ...environment })
  } catch (error) {
    const problem = reasonOf(error)
    throw new ConfigurationError([{ file: path, line: null, path: 'the environment:', problem }])
  }
}

/** Of this package's own errors, without the operation that they begin with. */
function reasonOf(error: unknown): string {
  if (!(error instanceof InvalidInputError)) throw error
  return error.message.slice(`${error.operation}: `.length)
}

function readCatalogue(path: string, { value, mistakeAt }: JsonFile<Configuration>): Catalogue {
  const unreadable = `names ${basename(path)}, which cannot be read as UTF-8.`
  const catalogue = readJsonFile(
    path,
    catalogueSchema,
    mistakeAt(['createPurchase', 'catalogue'], unreadable),
  )
  const { $schema, products, ...returns } = catalogue.value
  const mistakes = Object.entries(products).flatMap(([id, params]) => {
    try {
      checkDecision({ params: { ...params, product_id: id }, ...returns }, value.url)
      return []
    } catch (error) {
      return [catalogue.mistakeAt(['products', id], `is no sale: ${reasonOf(error)}`)]
    }
  })
  if (mistakes.length > 0) throw new ConfigurationError(mistakes)
  return catalogue.value
}

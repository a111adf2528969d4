/** From the configuration file and the environment to what `serve` runs with. Reads files, calls nobody. */
import { isUtf8 } from 'node:buffer'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { clientFromEnv } from '../client/createPurchaseClient.ts'
import { InvalidInputError } from '../errors.ts'
import { checkDecision } from '../purchase/decision.ts'
import { type Catalogue, catalogueSchema } from './catalogue.ts'
import { type Configuration, configurationSchema } from './configuration.ts'
import { ConfigurationError, type JsonFile, type Mistake, parseJsonFile } from './readJsonFile.ts'

export interface Settings {
  readonly configuration: Configuration
  /** Signs hooks and verifies their answers. */
  readonly secret: string
  /** Of tokens that the shop signs itself; null where there is none. */
  readonly jwtSecret: string | null
  readonly postgresUrl: string | null
  /** Absolute. */
  readonly sqliteFile: string | null
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
  const file = parseJsonFile(path, readText(path, null), configurationSchema)
  const { value: configuration } = file
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
  const { authorize, createPurchase, store } = configuration
  const inFolder = (name: string): string => resolve(dirname(path), name)
  const variable = (at: readonly string[], check: Check): string | null => {
    const name = at.reduce<unknown>((value, key) => Reflect.get(Object(value), key), configuration)
    const { env } = Object(name) as { env?: string }
    return env === undefined
      ? null
      : attempt(() => readVariable(file, [...at, 'env'], env, environment, check))
  }
  attempt(() => checkService(path, environment))
  const secret = variable(['secret'], checkHookSecret)
  const settings = {
    configuration,
    jwtSecret: authorize.jwt ? variable(['authorize', 'jwt', 'secret'], checkJwtSecret) : null,
    postgresUrl: variable(['store', 'postgres'], checkPostgresUrl),
    sqliteFile:
      store.sqlite === undefined ? null : attempt(() => checkFile(inFolder(store.sqlite ?? ''), file)),
    catalogue:
      createPurchase.catalogue === undefined
        ? null
        : attempt(() => readCatalogue(inFolder(createPurchase.catalogue ?? ''), file)),
    mistakeAt: file.mistakeAt,
  }
  if (mistakes.length > 0 || secret === null) throw new ConfigurationError(mistakes)
  return { ...settings, secret }
}

/** What a variable must be; null when it is that. */
type Check = (value: string) => string | null

function readVariable(
  file: JsonFile<unknown>,
  at: readonly string[],
  name: string,
  environment: Environment,
  check: Check,
): string {
  const value = environment[name]?.trim() ?? ''
  const problem = value === '' ? 'is not set' : check(value)
  if (problem === null) return value
  const hint = check === checkHookSecret ? ' Make one: echo "whsec_$(openssl rand -base64 32)"' : ''
  throw new ConfigurationError([file.mistakeAt(at, `names ${name}, which ${problem}.${hint}`)])
}

const checkHookSecret: Check = (value) => {
  const encoded = value.replace(/^whsec_/, '')
  const bytes = Buffer.from(encoded, 'base64')
  const isBase64 = bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '')
  return value.startsWith('whsec_') && isBase64 && bytes.length >= 24 && bytes.length <= 64
    ? null
    : 'must be whsec_ and 24 to 64 random bytes as base64'
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
    if (!(error instanceof InvalidInputError)) throw error
    throw new ConfigurationError([
      {
        file: path,
        line: null,
        path: 'the environment:',
        problem: error.message.replace(/^configuration: /, ''),
      },
    ])
  }
}

function checkFile(path: string, { mistakeAt }: JsonFile<Configuration>): string {
  const problem = problemOfFile(path)
  if (problem === null) return path
  throw new ConfigurationError([mistakeAt(['store', 'sqlite'], `names ${path}, which ${problem}.`)])
}

/** Why SQLite can neither open nor make a file, as far as the file system says; null where it can. Nothing is made. */
function problemOfFile(file: string): string | null {
  const folder = dirname(file)
  try {
    if (!statSync(folder).isDirectory()) return 'is not in a folder'
    accessSync(folder, constants.W_OK | constants.X_OK)
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isDirectory()) return 'is a folder. Name a file in it'
    if (found) accessSync(file, constants.R_OK | constants.W_OK)
    return null
  } catch {
    return 'cannot be read and written: its folder must exist, and both be writable for this user'
  }
}

function readCatalogue(path: string, file: JsonFile<Configuration>): Catalogue {
  const text = readText(
    path,
    file.mistakeAt(['createPurchase', 'catalogue'], `names ${basename(path)}, which cannot be read.`),
  )
  const catalogue = parseJsonFile(path, text, catalogueSchema)
  const { $schema, products, ...returns } = catalogue.value
  const mistakes = Object.entries(products).flatMap(([id, params]) => {
    try {
      checkDecision({ params: { ...params, product_id: id }, ...returns }, file.value.url)
      return []
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      return [
        catalogue.mistakeAt(
          ['products', id],
          `is no sale: ${error.message.replace(/^createPurchase: /, '')}`,
        ),
      ]
    }
  })
  if (mistakes.length > 0) throw new ConfigurationError(mistakes)
  return catalogue.value
}

function readText(path: string, unreadable: Mistake | null): string {
  const bytes = readBytes(path, unreadable)
  if (isUtf8(bytes)) return bytes.toString()
  const line = bytes.toString().split('\ufffd', 1).join().split('\n').length
  throw new ConfigurationError([
    { file: path, line, path: '', problem: 'is not UTF-8 here. Save it as UTF-8.' },
  ])
}

function readBytes(path: string, unreadable: Mistake | null): Buffer {
  try {
    return readFileSync(path)
  } catch {
    throw new ConfigurationError([
      unreadable ?? {
        file: path,
        line: null,
        path: '',
        problem: 'cannot be read. Name the file with --config.',
      },
    ])
  }
}

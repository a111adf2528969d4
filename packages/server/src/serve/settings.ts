/**
 * Reads the settings of `serve` from the configuration file and the environment: every mistake names its line and its remedy. Reads files,
 * and calls no server.
 */
import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'
import type { z } from 'zod'
import { clientFromEnv } from '../client/createPurchaseClient.ts'
import { InvalidInputError } from '../errors.ts'
import { checkDecision } from '../purchase/begin.ts'
import {
  type Catalogue,
  type Configuration,
  catalogueSchema,
  configurationSchema,
  type FromEnvironment,
} from './configuration.ts'

export interface Settings {
  readonly configuration: Configuration
  /** Signs hooks and verifies their answers. */
  readonly secret: string
  /** Verifies tokens that the shop signs itself; null if there is none. */
  readonly jwtSecret: string | null
  readonly postgresUrl: string | null
  /** Absolute; unused with Postgres. */
  readonly sqliteFile: string
  /** Null if a hook decides what is sold. */
  readonly catalogue: Catalogue | null
  /** Reports a mistake at a place in the file, for problems that only show at startup. */
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
  /** Continues after a mistake, so that one run reports them all. */
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

/** Returns what a variable must be; null if its value is valid. */
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

/** What one of this package's own errors says. */
function reasonOf(error: unknown): string {
  if (!(error instanceof InvalidInputError)) throw error
  return error.problem
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
      return [catalogue.mistakeAt(['products', id], `cannot be sold: ${reasonOf(error)}`)]
    }
  })
  if (mistakes.length > 0) throw new ConfigurationError(mistakes)
  return catalogue.value
}

/** One mistake. `line` counts from 1; null for a problem outside the file, such as a variable that is not set. */
export interface Mistake {
  readonly file: string
  readonly line: number | null
  /** Where in the file, e.g. `authorize.jwt`; empty for the file as a whole. */
  readonly path: string
  readonly problem: string
}

const describeMistake = ({ file, line, path, problem }: Mistake): string =>
  `${file}${line === null ? '' : `:${line}`}: ${path ? `${path} ` : ''}${problem}`

/** Thrown with every mistake. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(describeMistake).join('\n'))
    this.mistakes = mistakes
  }
}

interface JsonFile<Value> {
  readonly value: Value
  /** Describes a mistake at a place in the file. */
  mistakeAt(path: readonly PropertyKey[], problem: string): Mistake
}

/** @throws ConfigurationError with each mistake, or with `unreadable` if the file cannot be read. */
function readJsonFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  unreadable: Mistake,
): JsonFile<z.output<Schema>> {
  const text = readText(file, unreadable)
  const root = parseText(file, text)
  const mistakeAt = (path: readonly PropertyKey[], problem: string): Mistake => ({
    file,
    line: lineOf(text, root, path),
    path: path.map(String).join('.'),
    problem,
  })
  // The tree only locates mistakes: JSON.parse keeps a name such as __proto__ as an ordinary name.
  const result = schema.safeParse(JSON.parse(text))
  if (result.success) return { value: result.data, mistakeAt }
  throw new ConfigurationError(result.error.issues.flatMap((issue) => mistakesOf(issue, mistakeAt)))
}

/** UTF-8, with or without a byte order mark. */
function readText(file: string, unreadable: Mistake): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch {
    throw new ConfigurationError([unreadable])
  }
}

function parseText(file: string, text: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [first] = errors
  if (root && !first) return root
  const line = first ? lineAt(text, first.offset) : 1
  const problem = 'is not JSON here. Comments and commas after the last entry are not allowed.'
  throw new ConfigurationError([{ file, line, path: '', problem }])
}

function mistakesOf(issue: z.core.$ZodIssue, mistakeAt: JsonFile<unknown>['mistakeAt']): Mistake[] {
  if (issue.code !== 'unrecognized_keys') return [mistakeAt(issue.path, issue.message)]
  return issue.keys.map((key) => mistakeAt([...issue.path, key], issue.message))
}

/** A missing value has no place of its own: the nearest is that of its object. */
function lineOf(text: string, root: Node, path: readonly PropertyKey[]): number {
  const place = findNodeAtLocation(root, path as (string | number)[])
  if (!place && path.length > 0) return lineOf(text, root, path.slice(0, -1))
  return lineAt(text, (place?.parent ?? place ?? root).offset)
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

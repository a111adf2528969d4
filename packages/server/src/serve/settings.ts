/**
 * Reads the settings of `serve` from the configuration file and the environment: every mistake names its line and its remedy. Reads files,
 * and calls no server.
 */
import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'
import type { z } from 'zod'
import { clientFromEnv } from '../client/createPurchaseClient.ts'
import { problemOf } from '../errors.ts'
import type { CreatePurchase } from '../purchase/purchase.ts'
import { catalogueSchema } from './catalogue.ts'
import { type Configuration, configurationSchema } from './configuration.ts'
import { ConfigurationError, type Mistake } from './configurationError.ts'

export interface Settings {
  readonly configuration: Configuration
  /** Absolute; unused with Postgres. */
  readonly sqliteFile: string
  /** Null if a hook decides what is sold. */
  readonly catalogue: CreatePurchase | null
  /** Reports a mistake at a place in the file, for problems that only show at startup. */
  readonly mistakeAt: JsonFile<Configuration>['mistakeAt']
}

/**
 * @param path of the configuration file.
 * @throws ConfigurationError with every mistake of the file and the environment, or of the catalogue that it names.
 */
export function readSettings(path: string): Settings {
  const mistakes: Mistake[] = []
  const outside = { file: path, line: null }
  // The service's addresses and keys come from the environment, as for every command.
  const problem = problemOf(() => clientFromEnv(process.env))
  if (problem !== null) mistakes.push({ ...outside, path: 'the environment:', problem })
  try {
    const unreadable = 'cannot be read as UTF-8. Name the file with --config.'
    const file = readJsonFile(path, configurationSchema, { ...outside, path: '', problem: unreadable })
    const catalogue = readCatalogue(path, file)
    const sqliteFile = resolve(dirname(path), file.value.store.sqlite ?? '')
    if (mistakes.length === 0) {
      return { configuration: file.value, sqliteFile, catalogue, mistakeAt: file.mistakeAt }
    }
  } catch (error) {
    // One run names the mistakes of the file as well as those of the environment.
    if (!(error instanceof ConfigurationError)) throw error
    mistakes.push(...error.mistakes)
  }
  throw new ConfigurationError(mistakes)
}

function readCatalogue(path: string, { value, mistakeAt }: JsonFile<Configuration>): CreatePurchase | null {
  const { catalogue } = value.createPurchase
  if (catalogue === undefined) return null
  const unreadable = `names ${basename(catalogue)}, which cannot be read as UTF-8.`
  const at = mistakeAt(['createPurchase', 'catalogue'], unreadable)
  return readJsonFile(resolve(dirname(path), catalogue), catalogueSchema, at).value
}

interface JsonFile<Value> {
  readonly value: Value
  /** Describes a mistake at a place in the file. */
  mistakeAt(path: readonly PropertyKey[], problem: string): Mistake
}

/** @throws ConfigurationError with each mistake, or with `unreadable` if the file cannot be read. */
function readJsonFile<Value>(file: string, schema: z.ZodType<Value>, unreadable: Mistake): JsonFile<Value> {
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

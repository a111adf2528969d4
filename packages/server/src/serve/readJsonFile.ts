/** Reads a JSON file that a person writes: every mistake names its line and says what to do. */
import { readFileSync } from 'node:fs'
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'
import type { z } from 'zod'

/** One mistake. `line` counts from 1; null for what is wrong outside of the file, such as a variable that is not set. */
export interface Mistake {
  readonly file: string
  readonly line: number | null
  /** Where in the file, e.g. `authorize.jwt`; empty for the file as a whole. */
  readonly path: string
  readonly problem: string
}

const describeMistake = ({ file, line, path, problem }: Mistake): string =>
  `${file}${line === null ? '' : `:${line}`}: ${path ? `${path} ` : ''}${problem}`

/** Thrown with all that is wrong. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(describeMistake).join('\n'))
    this.mistakes = mistakes
  }
}

export interface JsonFile<Value> {
  readonly value: Value
  /** A mistake at a place of the file. */
  mistakeAt(path: readonly PropertyKey[], problem: string): Mistake
}

/** @throws ConfigurationError with each mistake; for a file that cannot be read, with `unreadable`. */
export function readJsonFile<Schema extends z.ZodType>(
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
  // The tree is for places: JSON.parse keeps a name such as __proto__ as what it is.
  const result = schema.safeParse(JSON.parse(text))
  if (result.success) return { value: result.data, mistakeAt }
  throw new ConfigurationError(result.error.issues.flatMap((issue) => mistakesOf(issue, mistakeAt)))
}

/** UTF-8, with or without the mark that an editor may put in front. */
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

/** What is missing has no place of its own: its object's is the nearest. */
function lineOf(text: string, root: Node, path: readonly PropertyKey[]): number {
  const place = findNodeAtLocation(root, path as (string | number)[])
  if (!place && path.length > 0) return lineOf(text, root, path.slice(0, -1))
  return lineAt(text, (place?.parent ?? place ?? root).offset)
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

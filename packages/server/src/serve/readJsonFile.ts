/** Reads a JSON file that a person writes: every mistake names its line and says what to do. */
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
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

/**
 * @param file its name, for messages.
 * @throws ConfigurationError with each mistake.
 */
export function parseJsonFile<Schema extends z.ZodType>(
  file: string,
  content: string,
  schema: Schema,
): JsonFile<z.output<Schema>> {
  try {
    return parse(file, content, schema)
  } catch (error) {
    // A list in a list in a list, until the stack has no place left.
    if (!(error instanceof RangeError)) throw error
    throw new ConfigurationError([{ file, line: 1, path: '', problem: 'is nested too deeply.' }])
  }
}

function parse<Schema extends z.ZodType>(
  file: string,
  content: string,
  schema: Schema,
): JsonFile<z.output<Schema>> {
  // An editor may put a byte order mark in front.
  const text = content.replace(/^\uFEFF/, '')
  const root = parseText(file, text)
  const mistakeAt = (path: readonly PropertyKey[], problem: string): Mistake => ({
    file,
    line: lineOf(text, root, path),
    path: path.map(String).join('.'),
    problem,
  })
  const repeated = repeatedNames(root).map(({ path, offset }) => ({
    ...mistakeAt(path, 'stands here twice. Remove one.'),
    line: lineAt(text, offset),
  }))
  // The tree is for places: JSON.parse keeps a name such as __proto__ as what it is.
  const result = schema.safeParse(JSON.parse(text))
  const mistakes = result.success ? [] : result.error.issues.flatMap((issue) => mistakesOf(issue, mistakeAt))
  if (!result.success || repeated.length > 0) throw new ConfigurationError([...repeated, ...mistakes])
  return { value: result.data, mistakeAt }
}

function parseText(file: string, text: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [first] = errors
  if (root && !first) return root
  const what = first
    ? printParseErrorCode(first.error).replace(/(?<!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    : 'empty file'
  const line = first ? lineAt(text, first.offset) : 1
  throw new ConfigurationError([
    {
      file,
      line,
      path: '',
      problem: `is not JSON here (${what}). Comments and commas after the last entry are not allowed.`,
    },
  ])
}

function mistakesOf(issue: z.core.$ZodIssue, mistakeAt: JsonFile<unknown>['mistakeAt']): Mistake[] {
  if (issue.code !== 'unrecognized_keys') return [mistakeAt(issue.path, issue.message)]
  return issue.keys.map((key) => mistakeAt([...issue.path, key], issue.message))
}

function lineOf(text: string, root: Node, path: readonly PropertyKey[]): number {
  // What is missing has no place of its own: its object's is the nearest.
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length) as (string | number)[])
    const place = node?.parent?.type === 'property' ? node.parent : node
    if (place) return lineAt(text, place.offset)
  }
  return lineAt(text, root.offset)
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

interface Repeated {
  path: readonly PropertyKey[]
  offset: number
}

/** JSON lets a name stand twice and takes the last: whoever reads the file may take the first. */
function repeatedNames(node: Node, path: readonly PropertyKey[] = []): Repeated[] {
  const children = node.children ?? []
  if (node.type === 'array') return children.flatMap((child, index) => repeatedNames(child, [...path, index]))
  if (node.type !== 'object') return []
  const seen = new Set<string>()
  return children.flatMap(({ offset, children: [key, value] = [] }) => {
    const inside = [...path, String(key?.value)]
    const isRepeated = seen.has(String(key?.value))
    seen.add(String(key?.value))
    const here = isRepeated ? [{ path: inside, offset }] : []
    return value ? [...here, ...repeatedNames(value, inside)] : here
  })
}

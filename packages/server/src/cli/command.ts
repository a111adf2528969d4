/** Shared by the commands: options, loading of the merchant's module, and output for the terminal. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect, type parseArgs, styleText } from 'node:util'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { InvalidInputError } from '../errors.ts'
import { printable } from '../unknown.ts'

/** The options of all commands. */
export const options = {
  'no-token': { type: 'boolean' },
  companion: { type: 'string' },
  order: { type: 'string' },
  module: { type: 'string' },
  config: { type: 'string' },
  serve: { type: 'string' },
  check: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/** As typed. */
export type Flags = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

export interface Call {
  /** From the environment, when it is needed. */
  client: () => PurchaseClient
  flags: Flags
  /** What follows the command's name. */
  words: readonly string[]
}

export interface Report {
  data: unknown
  text: string
  ok: boolean
}

export type Command = (call: Call) => Promise<Report>

/** A cell's text is untrusted; its style is ours. */
export type Cell = string | { text: string; style: 'dim' | 'green' | 'yellow' | 'red' }

export const dim = (text: string): Cell => ({ text, style: 'dim' })

/** @param rows each with a cell for every column. */
export function table(rows: readonly (readonly Cell[])[]): string {
  const [first = []] = rows
  const widths = first.map((_, column) => Math.max(...rows.map((row) => textOf(row[column] ?? '').length)))
  const line = (row: readonly Cell[]): string =>
    row
      .map((cell, column) => styled(cell) + ' '.repeat((widths[column] ?? 0) - textOf(cell).length))
      .join('  ')
      .trimEnd()
  return rows.map(line).join('\n')
}

const textOf = (cell: Cell): string => printable(typeof cell === 'string' ? cell : cell.text)

const styled = (cell: Cell): string =>
  typeof cell === 'string' ? textOf(cell) : styleText(cell.style, textOf(cell))

/** @throws InvalidInputError when it cannot be loaded, with the first line of its error: the module is the merchant's own, and so is the terminal. */
export async function loadModule(path: string): Promise<Record<string, unknown>> {
  const file = resolve(path)
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>
  } catch (error) {
    const reason = existsSync(file) ? reasonOf(error) : `there is no file ${file}`
    throw new InvalidInputError('--module', `${path} cannot be loaded: ${reason}`)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error))
    return `it threw ${inspect(error, { breakLength: Number.POSITIVE_INFINITY })}`
  // A connection that is refused at several addresses has a code and no message.
  const { code = error.name } = error as NodeJS.ErrnoException
  const [line = ''] = error.message.trim().split('\n')
  return line || code
}

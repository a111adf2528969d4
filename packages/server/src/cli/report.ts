/** What a command says, and how it is shown at a terminal. */

import { type parseArgs, styleText } from 'node:util'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { printable } from '../printable.ts'

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

/** A cell's text may be anybody's; its style is ours. */
export type Cell = string | { text: string; style: 'dim' | 'green' | 'yellow' | 'red' }

export const dim = (text: string): Cell => ({ text, style: 'dim' })

export function table(rows: readonly (readonly Cell[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, textOf(cell).length)
    }
  }
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

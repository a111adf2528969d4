/** Rows as text: columns as wide as they need to be. */
import { styleText } from 'node:util'
import { printable } from '../printable.ts'

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

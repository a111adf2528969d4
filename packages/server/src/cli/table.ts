/** Rows as text: columns as wide as they need to be. */
import { stripVTControlCharacters } from 'node:util'

export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell))
  }
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd()
  return rows.map(line).join('\n')
}

const widthOf = (cell: string): number => stripVTControlCharacters(cell).length

/** A table with a caption, or a sentence where there are no rows. */
import type { ComponentChildren, JSX } from 'preact'

export interface Column<Row> {
  title: string
  cell: (row: Row) => ComponentChildren
  /** Amounts and counts stand at the end of their column. */
  numeric?: boolean
}

interface DataTableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
  /** What to do to see the first row. */
  empty: string
}

/** A table that scrolls sideways by itself where the page is narrow. */
export function DataTable<Row>({ label, rows, columns, keyOf, empty }: DataTableProps<Row>): JSX.Element {
  if (rows.length === 0) return <p class="empty">{empty}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="table" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, numeric }) => (
              <th key={title} scope="col" class={numeric ? 'numeric' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, numeric }) => (
                <td key={title} class={numeric ? 'numeric' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

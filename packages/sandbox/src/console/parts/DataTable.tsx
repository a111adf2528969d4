/** A table whose rows can be filtered and opened, or a sentence where there are no rows. */
import { type ComponentChildren, Fragment, type JSX } from 'preact'
import { useState } from 'preact/hooks'
import { addressOf } from '../usePlace.ts'

export interface Column<Row> {
  title: string
  cell: (row: Row) => ComponentChildren
  /** Aligns amounts and counts to the end of the column. */
  numeric?: boolean
}

interface DataTableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
  /** Renders the content of an expanded row. */
  detail?: (row: Row) => ComponentChildren
  /** Shows only rows that contain this text, and expands the row that has it as its key. */
  find?: string
  /** Shown when there are no rows: says how to create the first one. */
  empty: string
}

/** On a phone, each row is a card of labelled values; on wider screens the table scrolls horizontally when needed. */
export function DataTable<Row>(props: DataTableProps<Row>): JSX.Element {
  const { label, rows, columns, keyOf, detail, find = '', empty } = props
  const [toggled, setToggled] = useState<ReadonlySet<string | number>>(new Set())
  if (rows.length === 0) return <p class="empty">{empty}</p>
  const found = rows.filter((row) => holds(row, find))
  const isOpen = (key: string | number): boolean => toggled.has(key) !== (find === String(key))
  const toggle = (key: string | number): void => {
    const next = new Set(toggled)
    if (!next.delete(key)) next.add(key)
    setToggled(next)
  }
  return (
    <>
      {detail && <Find label={label} find={find} />}
      {found.length === 0 && <p class="empty">No row holds “{find}”.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section class="table" aria-label={label} tabIndex={0}>
        <table hidden={found.length === 0}>
          <thead>
            <tr>
              {detail && <th scope="col">Open</th>}
              {columns.map(({ title, numeric }) => (
                <th key={title} scope="col" class={numeric ? 'numeric' : undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.map((row) => (
              <Fragment key={keyOf(row)}>
                <tr>
                  {detail && (
                    <td>
                      <Toggle open={isOpen(keyOf(row))} onToggle={() => toggle(keyOf(row))} />
                    </td>
                  )}
                  {columns.map(({ title, cell, numeric }) => (
                    <td key={title} data-title={title} class={numeric ? 'numeric' : undefined}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
                {detail && isOpen(keyOf(row)) && (
                  <tr class="opened">
                    <td colSpan={columns.length + 1}>
                      <div class="detail">{detail(row)}</div>
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

const holds = (row: unknown, find: string): boolean =>
  find === '' || JSON.stringify(row).toLowerCase().includes(find.toLowerCase())

function Toggle({ open, onToggle }: { open: boolean; onToggle: () => void }): JSX.Element {
  return (
    <button type="button" class="toggle" aria-label="Details" aria-expanded={open} onClick={onToggle}>
      <svg viewBox="0 0 12 12" aria-hidden="true" focusable="false">
        <path d="M4 2l4 4-4 4" />
      </svg>
    </button>
  )
}

/** The filter is part of the URL, so a link can point to the rows of one order. */
function Find({ label, find }: { label: string; find: string }): JSX.Element {
  const search = (text: string): void => {
    history.replaceState(null, '', addressOf(label.toLowerCase(), text))
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
  return (
    <search class="order-form">
      <label class="input">
        Filter
        <input
          value={find}
          placeholder="any text of a row"
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => search(currentTarget.value)}
        />
      </label>
      {find && (
        <button type="button" class="quiet" onClick={() => search('')}>
          Show all
        </button>
      )}
    </search>
  )
}

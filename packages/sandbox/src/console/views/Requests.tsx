/** Lists the requests that arrived. */
import type { JSX } from 'preact'
import { Badge } from '../parts/Badge.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import type { ConsoleRequest } from '../protocol.ts'
import type { ViewProps } from '../useConsole.ts'

const columns: Column<ConsoleRequest>[] = [
  { title: 'At', cell: ({ at }) => at.slice(11, 23) },
  { title: 'Status', cell: ({ status }) => <Status status={status} /> },
  { title: 'Operation', cell: ({ operation }) => operation },
  {
    title: 'Request',
    cell: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
  },
  { title: 'ms', numeric: true, cell: ({ ms }) => ms.toFixed(1) },
]

export function Requests({ state, act }: ViewProps): JSX.Element {
  return (
    <>
      <div class="order-form">
        <button type="button" class="quiet" onClick={() => act('DELETE', 'requests')}>
          Clear
        </button>
        <p class="hint">
          Headers and bodies, with secrets masked: <a href="/_sandbox/requests">/_sandbox/requests</a>
        </p>
      </div>
      <DataTable
        label="Requests"
        rows={state.requests}
        columns={columns}
        keyOf={({ id }) => id}
        empty="No requests have arrived."
      />
    </>
  )
}

function Status({ status }: { status: number | null }): JSX.Element {
  if (status === null) return <Badge tone="bad">cut</Badge>
  return <Badge tone={status < 400 ? 'good' : 'bad'}>{String(status)}</Badge>
}

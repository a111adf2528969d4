/** Lists the received requests. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ConsoleState } from '../../control/state.ts'
import type { LoggedRequest } from '../../simulation/requestLog.ts'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { Badge, Facts, Json, Links, timeOf } from '../parts/Detail.tsx'
import type { ViewProps } from '../useConsole.ts'

const columns: Column<LoggedRequest>[] = [
  { title: 'Status', cell: ({ status }) => <Status status={status} /> },
  { title: 'At', cell: ({ at }) => at.slice(11, 23) },
  { title: 'Operation', cell: ({ operation }) => operation },
  {
    title: 'Request',
    cell: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
  },
  { title: 'Refused because', cell: refusalOf },
  { title: 'ms', numeric: true, cell: ({ ms }) => ms.toFixed(1) },
]

export function Requests({ state, act, find }: ViewProps): JSX.Element {
  const [withRepeats, setWithRepeats] = useState(false)
  const repeats = state.requests.filter(({ repeat }) => repeat).length
  return (
    <>
      <div class="order-form">
        <button type="button" class="quiet" onClick={() => act('DELETE', 'requests')}>
          Clear
        </button>
        <label class="check">
          <input
            type="checkbox"
            checked={withRepeats}
            onChange={({ currentTarget }) => setWithRepeats(currentTarget.checked)}
          />
          Show {repeats} {repeats === 1 ? 'request' : 'requests'} that got the same answer as before
        </label>
      </div>
      <DataTable
        label="Requests"
        rows={state.requests.filter(({ repeat }) => withRepeats || !repeat)}
        columns={columns}
        keyOf={({ id }) => id}
        find={find}
        detail={(request) => <RequestDetail request={request} state={state} />}
        empty="No requests have arrived."
      />
    </>
  )
}

function RequestDetail({ request, state }: { request: LoggedRequest; state: ConsoleState }): JSX.Element {
  const { at, ms, query, headers, body, response } = request
  const text = JSON.stringify([query, body, response])
  const orders = state.orders.filter(({ id }) => text.includes(id)).slice(0, 5)
  return (
    <>
      <Facts facts={{ At: timeOf(at), Took: `${ms.toFixed(1)} ms` }} />
      <Links links={orders.map(({ id }) => ({ text: `Order ${id}`, view: 'orders', find: id }))} />
      <Json title="Query" value={query} />
      <Json title="Body" value={body} />
      <Json title="Response" value={response} />
      <Json title="Headers" value={headers} />
    </>
  )
}

/** In the service's words. */
function refusalOf({ status, response }: LoggedRequest): string {
  const { message } = Object(response)
  return status !== null && status >= 400 && typeof message === 'string' ? message : ''
}

function Status({ status }: { status: number | null }): JSX.Element {
  if (status === null) return <Badge tone="bad">cut</Badge>
  return <Badge tone={status < 400 ? 'good' : 'bad'}>{String(status)}</Badge>
}

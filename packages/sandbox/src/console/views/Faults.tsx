/** Injects and removes faults. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Fault } from '../../simulation/faults.ts'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { Choice, Form, TextInput } from '../parts/Form.tsx'
import type { Act, ViewProps } from '../useConsole.ts'

const columnsFor = (act: Act): Column<Fault>[] => [
  { title: 'Operation', cell: ({ operation }) => operation },
  { title: 'Fault', cell: faultInWords },
  { title: 'Requests left', numeric: true, cell: ({ count }) => count ?? 'all' },
  {
    title: 'Remove',
    cell: ({ id }) => (
      <button type="button" class="quiet" onClick={() => act('DELETE', `faults/${id}`)}>
        Remove
      </button>
    ),
  },
]

function faultInWords(fault: Fault): string {
  if (fault.kind === 'status') return `status ${fault.status}`
  return fault.kind === 'latency' ? `latency ${fault.latencyMs} ms` : fault.kind
}

export function Faults({ state, act }: ViewProps): JSX.Element {
  return (
    <>
      <AddFault state={state} act={act} />
      <DataTable
        label="Faults"
        rows={state.faults}
        columns={columnsFor(act)}
        keyOf={({ id }) => id}
        empty="Everything works. Inject a fault above, and see how the integration takes it."
      />
    </>
  )
}

/** The number field of each kind that needs one. */
const numbers: Record<string, { field: string; label: string; start: string }> = {
  latency: { field: 'latencyMs', label: 'Milliseconds', start: '2000' },
  status: { field: 'status', label: 'Status', start: '503' },
}

function AddFault({ state, act }: Omit<ViewProps, 'find'>): JSX.Element {
  const [kind, setKind] = useState(state.fault_kinds[0] ?? '')
  const number = numbers[kind]
  return (
    <Form
      button="Inject fault"
      onSend={({ operation, amount, count }) =>
        act('POST', 'faults', {
          operation,
          kind,
          ...(number && { [number.field]: Number(amount) }),
          ...(count && { count: Number(count) }),
        })
      }
    >
      <Choice
        label="Operation"
        name="operation"
        values={['*', ...state.operations]}
        nameOf={(name) => (name === '*' ? 'all seven' : name)}
      />
      <Choice label="Fault" name="kind" values={state.fault_kinds} onChoose={setKind} />
      {number && <TextInput key={kind} label={number.label} name="amount" start={number.start} numeric />}
      <TextInput label="Requests" name="count" start="1" numeric placeholder="all" />
    </Form>
  )
}

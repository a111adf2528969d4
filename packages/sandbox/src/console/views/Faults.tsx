/** Injects and removes faults. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Choice } from '../parts/Choice.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { TextInput } from '../parts/TextInput.tsx'
import type { ConsoleFault } from '../protocol.ts'
import type { Act, ViewProps } from '../useConsole.ts'

const columnsFor = (act: Act): Column<ConsoleFault>[] => [
  { title: 'Operation', cell: ({ operation }) => operation },
  { title: 'Fault', cell: ({ kind }) => kind },
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

/** Kinds that need a number say which one. */
const numbers: Record<string, { field: string; label: string; start: string }> = {
  latency: { field: 'latencyMs', label: 'Milliseconds', start: '2000' },
  status: { field: 'status', label: 'Status', start: '503' },
}

function AddFault({ state, act }: Omit<ViewProps, 'find'>): JSX.Element {
  const operations = ['*', ...state.operations.filter((operation) => operation !== '*')]
  const [operation, setOperation] = useState('*')
  const [kind, setKind] = useState('latency')
  const [amount, setAmount] = useState('2000')
  const [count, setCount] = useState('1')
  const number = numbers[kind]
  return (
    <form
      class="order-form"
      onSubmit={(event) => {
        event.preventDefault()
        void act('POST', 'faults', {
          operation,
          kind,
          ...(number && { [number.field]: Number(amount) }),
          ...(count && { count: Number(count) }),
        })
      }}
    >
      <Choice
        label="Operation"
        value={operation}
        values={operations}
        onChoose={setOperation}
        nameOf={(name) => (name === '*' ? 'all seven' : name)}
      />
      <Choice
        label="Fault"
        value={kind}
        values={state.fault_kinds}
        onChoose={(chosen) => {
          setKind(chosen)
          setAmount(numbers[chosen]?.start ?? '')
        }}
      />
      {number && <TextInput label={number.label} value={amount} onValue={setAmount} numeric />}
      <TextInput label="Requests" value={count} onValue={setCount} numeric placeholder="all" />
      <button type="submit" class="quiet">
        Inject fault
      </button>
    </form>
  )
}

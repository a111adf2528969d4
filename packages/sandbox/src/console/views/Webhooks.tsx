/** Registers webhook targets, lists deliveries, sends again and forges. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Badge, type Tone } from '../parts/Badge.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { Facts, Json, Links, timeOf } from '../parts/Detail.tsx'
import { TextInput } from '../parts/TextInput.tsx'
import type { ConsoleDelivery } from '../protocol.ts'
import type { Act, ViewProps } from '../useConsole.ts'

const tones: Record<ConsoleDelivery['status'], Tone> = {
  delivered: 'good',
  failed: 'bad',
  pending: 'waiting',
}

const columnsFor = (act: Act): Column<ConsoleDelivery>[] => [
  { title: 'State', cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
  {
    title: 'Again',
    cell: ({ id }) => (
      <button type="button" class="quiet" onClick={() => act('POST', `webhooks/deliveries/${id}/redeliver`)}>
        Redeliver
      </button>
    ),
  },
  { title: 'Event', cell: ({ event }) => event },
  { title: 'Order', cell: ({ order_id }) => <code>{order_id}</code> },
  { title: 'Attempts', numeric: true, cell: ({ attempts }) => attempts },
  { title: 'At', cell: ({ at }) => timeOf(at) },
  { title: 'Answer', cell: ({ answer }) => answer },
  { title: 'To', cell: ({ url }) => url },
]

function DeliveryDetail({ delivery }: { delivery: ConsoleDelivery }): JSX.Element {
  const { order_id, at, tried_at, attempts, answer, url, payload } = delivery
  return (
    <>
      <Facts
        facts={{
          Queued: timeOf(at),
          'Last sent': timeOf(tried_at),
          Attempts: attempts,
          Answer: answer,
          To: url,
        }}
      />
      <Links
        links={
          order_id
            ? [
                { text: 'Its order', view: 'orders', find: order_id },
                { text: 'Requests about the order', view: 'requests', find: order_id },
              ]
            : []
        }
      />
      <Json title="Payload" value={payload} />
    </>
  )
}

export function Webhooks({ state, act, find }: ViewProps): JSX.Element {
  const { targets, deliveries } = state.webhooks
  return (
    <>
      <AddTarget act={act} />
      {targets.length > 0 && (
        <ul class="list">
          {targets.map(({ id, url }) => (
            <li key={id}>
              <span>{url}</span>
              <button type="button" class="quiet" onClick={() => act('DELETE', `webhooks/${id}`)}>
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      {targets.length > 0 && <Forge act={act} />}
      <DataTable
        label="Webhooks"
        rows={deliveries}
        columns={columnsFor(act)}
        keyOf={({ id }) => id}
        find={find}
        detail={(delivery) => <DeliveryDetail delivery={delivery} />}
        empty="Nothing was sent yet. Add an address above; each change of an order, user or subscription is sent there."
      />
    </>
  )
}

function AddTarget({ act }: { act: Act }): JSX.Element {
  const [url, setUrl] = useState('')
  return (
    <form
      class="order-form"
      onSubmit={(event) => {
        event.preventDefault()
        void act('POST', 'webhooks', { url })
      }}
    >
      <TextInput
        label="Send webhooks to"
        value={url}
        onValue={setUrl}
        placeholder="http://localhost:3000/api/purchase-widget/webhook/KEY"
      />
      <button type="submit" class="quiet">
        Add address
      </button>
    </form>
  )
}

/** What any unauthenticated caller could send. */
function Forge({ act }: { act: Act }): JSX.Element {
  const [orderId, setOrderId] = useState('')
  return (
    <form
      class="order-form"
      onSubmit={(event) => {
        event.preventDefault()
        const data = { order_id: orderId, type: 'order_complete' }
        void act('POST', 'webhooks/forge', { payload: { event: 'order.updated', data } })
      }}
    >
      <TextInput label="Forged order_id" value={orderId} onValue={setOrderId} placeholder="any id" />
      <button type="submit" class="quiet">
        Send a forged webhook
      </button>
    </form>
  )
}

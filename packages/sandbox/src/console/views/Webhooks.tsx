/** Registers webhook targets, lists deliveries, sends again and forges. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { DeliveryStatus, Redeliver } from '../parts/Deliveries.tsx'
import { Facts, Json, Links, timeOf } from '../parts/Detail.tsx'
import { Fold } from '../parts/Fold.tsx'
import { TextInput } from '../parts/TextInput.tsx'
import type { ConsoleDelivery } from '../protocol.ts'
import type { Act, ViewProps } from '../useConsole.ts'

const columnsFor = (act: Act): Column<ConsoleDelivery>[] => [
  { title: 'State', cell: ({ status }) => <DeliveryStatus status={status} /> },
  { title: 'Again', cell: ({ id }) => <Redeliver id={id} act={act} /> },
  { title: 'Answer', cell: ({ answer }) => answer },
  { title: 'Attempts', numeric: true, cell: ({ attempts }) => attempts },
  { title: 'Event', cell: ({ event }) => event },
  { title: 'Order', cell: ({ order_id }) => order_id && <code>{order_id}</code> },
  { title: 'At', cell: ({ at }) => timeOf(at) },
  { title: 'To', cell: ({ url }) => <div class="address">{url}</div> },
]

function DeliveryDetail({ delivery }: { delivery: ConsoleDelivery }): JSX.Element {
  const { order_id, at, tried_at, response, url, payload } = delivery
  return (
    <>
      <Facts facts={{ Queued: timeOf(at), 'Last sent': timeOf(tried_at), To: url }} />
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
      <Json title="Response" value={response} />
      <Json title="Payload" value={payload} />
    </>
  )
}

export function Webhooks({ state, act, find }: ViewProps): JSX.Element {
  const { targets, deliveries } = state.webhooks
  return (
    <>
      <Fold title={`Addresses: ${targets.length}`} open={targets.length === 0}>
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
        <AddTarget act={act} />
        {targets.length > 0 && <Forge act={act} />}
      </Fold>
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

/** Registers webhook targets, lists and repeats deliveries, and forges webhooks. */
import type { JSX } from 'preact'
import type { Delivery } from '../../control/webhooks.ts'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { Badge, Facts, Json, Links, type Tone, timeOf } from '../parts/Detail.tsx'
import { Fold, Form, TextInput } from '../parts/Form.tsx'
import type { Act, ViewProps } from '../useConsole.ts'
import { addressOf } from '../usePlace.ts'

const tones: Record<Delivery['status'], Tone> = {
  delivered: 'good',
  failed: 'bad',
  pending: 'waiting',
}

function DeliveryStatus({ status }: Pick<Delivery, 'status'>): JSX.Element {
  return <Badge tone={tones[status]}>{status}</Badge>
}

function Redeliver({ id, act }: { id: string; act: Act }): JSX.Element {
  return (
    <button type="button" class="quiet" onClick={() => act('POST', `webhooks/deliveries/${id}/redeliver`)}>
      Redeliver
    </button>
  )
}

/** The deliveries of one order, newest first. */
export function Deliveries({ deliveries, act }: { deliveries: Delivery[]; act: Act }): JSX.Element {
  if (deliveries.length === 0) return <p class="hint">No webhook was sent about it.</p>
  return (
    <ul class="list" aria-label="Webhooks">
      {deliveries.map(({ id, event, at, status, answer, attempts, url }) => (
        <li key={id}>
          <DeliveryStatus status={status} />
          <Redeliver id={id} act={act} />
          <a href={addressOf('webhooks', id)}>
            {answer || 'no answer yet'}
            {attempts > 1 && ` after ${attempts} attempts`}
          </a>
          <span>
            {event}, {timeOf(at)}
          </span>
          <span class="hint">{url}</span>
        </li>
      ))}
    </ul>
  )
}

const columnsFor = (act: Act): Column<Delivery>[] => [
  { title: 'State', cell: ({ status }) => <DeliveryStatus status={status} /> },
  { title: 'Again', cell: ({ id }) => <Redeliver id={id} act={act} /> },
  { title: 'Answer', cell: ({ answer }) => answer },
  { title: 'Attempts', numeric: true, cell: ({ attempts }) => attempts },
  { title: 'Event', cell: ({ event }) => event },
  { title: 'Order', cell: ({ order_id }) => order_id && <code>{order_id}</code> },
  { title: 'At', cell: ({ at }) => timeOf(at) },
  { title: 'To', cell: ({ url }) => <div class="address">{url}</div> },
]

function DeliveryDetail({ delivery }: { delivery: Delivery }): JSX.Element {
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
        <Form button="Add address" onSend={({ url }) => act('POST', 'webhooks', { url })}>
          <TextInput
            label="Send webhooks to"
            name="url"
            placeholder="http://localhost:3000/api/purchase-widget/webhook/KEY"
          />
        </Form>
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

/** Sends a webhook that any unauthenticated caller could send. */
function Forge({ act }: { act: Act }): JSX.Element {
  return (
    <Form
      button="Send a forged webhook"
      onSend={({ order_id }) => {
        const data = { order_id, type: 'order_complete' }
        void act('POST', 'webhooks/forge', { payload: { event: 'order.updated', data } })
      }}
    >
      <TextInput label="Forged order_id" name="order_id" placeholder="any id" />
    </Form>
  )
}

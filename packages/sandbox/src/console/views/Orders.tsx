/** Lists orders, and buys without the widget page. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Badge, type Tone } from '../parts/Badge.tsx'
import { Choice } from '../parts/Choice.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { Json, Links, timeOf } from '../parts/Detail.tsx'
import { TextInput } from '../parts/TextInput.tsx'
import type { ConsoleOrder } from '../protocol.ts'
import type { ViewProps } from '../useConsole.ts'

const tones: Record<string, Tone> = {
  order_complete: 'good',
  order_failed: 'bad',
  payment_started: 'waiting',
}

const columns: Column<ConsoleOrder>[] = [
  { title: 'At', cell: ({ at }) => timeOf(at) },
  { title: 'State', cell: ({ type }) => <Badge tone={tones[type] ?? 'neutral'}>{type}</Badge> },
  { title: 'Product', cell: ({ product_id }) => product_id },
  { title: 'Amount', numeric: true, cell: amountOf },
  { title: 'Shopper', cell: ({ email }) => email },
  { title: 'custom_id', cell: ({ custom_id }) => custom_id },
  { title: 'fail_reason', cell: ({ fail_reason }) => fail_reason },
  { title: 'Order', cell: ({ id }) => <code>{id}</code> },
]

export function Orders({ state, act, find }: ViewProps): JSX.Element {
  return (
    <>
      <Purchase act={act} />
      <DataTable
        label="Orders"
        rows={state.orders}
        columns={columns}
        keyOf={({ id }) => id}
        find={find}
        detail={(order) => <OrderDetail order={order} />}
        empty="No orders yet. Buy something in the widget, or make a purchase here."
      />
    </>
  )
}

function OrderDetail({ order: { id, record } }: { order: ConsoleOrder }): JSX.Element {
  return (
    <>
      <Links
        links={[
          { text: 'Its webhooks', view: 'webhooks', find: id },
          { text: 'Requests about it', view: 'requests', find: id },
        ]}
      />
      <Json title="As the API gives it" value={record} />
    </>
  )
}

function amountOf({ quote, quote_amount, base, base_amount }: ConsoleOrder): string {
  return base ? `${base_amount} ${base} for ${quote_amount} ${quote}` : `${quote_amount} ${quote}`
}

const cards = [
  '4242',
  '4000',
  '4001',
  '4002',
  '4003',
  '4004',
  '4005',
  '4010',
  '4011',
  '4012',
  '4013',
] as const
const cardNumber = (lastDigits: string): string =>
  lastDigits === '4242' ? '4242424242424242' : `400000000000${lastDigits}`

/** A whole purchase without the widget page. */
function Purchase({ act }: Pick<ViewProps, 'act'>): JSX.Element {
  const [email, setEmail] = useState('shopper@example.com')
  const [product, setProduct] = useState('gold-100')
  const [card, setCard] = useState<(typeof cards)[number]>('4242')
  return (
    <form
      class="order-form"
      onSubmit={(event) => {
        event.preventDefault()
        void act('POST', 'purchases', {
          email,
          card_number: cardNumber(card),
          params: { product_id: product },
        })
      }}
    >
      <TextInput label="Shopper" value={email} onValue={setEmail} />
      <TextInput label="product_id" value={product} onValue={setProduct} />
      <Choice
        label="Card"
        value={card}
        values={cards}
        onChoose={setCard}
        nameOf={(digits) => (digits === '4242' ? '…4242 succeeds' : `…${digits} declines`)}
      />
      <button type="submit" class="quiet">
        Make a purchase
      </button>
    </form>
  )
}

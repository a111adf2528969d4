/** Lists orders, and makes purchases without the widget page. */
import type { JSX } from 'preact'
import type { ConsoleOrder } from '../../control/state.ts'
import { declines } from '../../widget/protocol.ts'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { Badge, Facts, Json, Links, type Tone, timeOf } from '../parts/Detail.tsx'
import { Choice, Fold, Form, TextInput } from '../parts/Form.tsx'
import type { ViewProps } from '../useConsole.ts'
import { Deliveries } from './Webhooks.tsx'

const tones: Record<string, Tone> = {
  order_complete: 'good',
  order_failed: 'bad',
  payment_started: 'waiting',
}

const columns: Column<ConsoleOrder>[] = [
  { title: 'State', cell: (order) => <State {...order} /> },
  { title: 'Product', cell: ({ product_id }) => product_id },
  { title: 'Amount', numeric: true, cell: amountOf },
  { title: 'Shopper', cell: ({ email }) => email },
  { title: 'custom_id', cell: ({ custom_id }) => custom_id },
  { title: 'At', cell: ({ at }) => timeOf(at) },
]

export function Orders({ state, act, find }: ViewProps): JSX.Element {
  return (
    <>
      <Fold title="Make a purchase" open={state.orders.length === 0}>
        <Purchase act={act} />
      </Fold>
      <DataTable
        label="Orders"
        rows={state.orders}
        columns={columns}
        keyOf={({ id }) => id}
        find={find}
        detail={(order) => <OrderDetail order={order} state={state} act={act} />}
        empty="No orders yet. Buy something in the widget, or make a purchase here."
      />
    </>
  )
}

function State({ type, fail_reason }: ConsoleOrder): JSX.Element {
  return (
    <>
      <Badge tone={tones[type] ?? 'neutral'}>{type}</Badge>
      {fail_reason && <p class="cause">{reasonOf(fail_reason)}</p>}
    </>
  )
}

function OrderDetail({ order, state, act }: Omit<ViewProps, 'find'> & { order: ConsoleOrder }): JSX.Element {
  const { id, record } = order
  const purchase = purchaseOf(order)
  return (
    <>
      <Facts facts={{ Order: id, Purchase: purchase }} />
      <Deliveries
        deliveries={state.webhooks.deliveries.filter(({ order_id }) => order_id === id)}
        act={act}
      />
      <Links
        links={[
          { text: 'Its webhooks', view: 'webhooks', find: id },
          { text: 'Requests about it', view: 'requests', find: id },
          ...(purchase ? [{ text: 'Orders of its purchase', view: 'orders', find: purchase } as const] : []),
        ]}
      />
      <Json title="As the API gives it" value={record} />
    </>
  )
}

/** The companion's return address ends with the id of the purchase that the order belongs to. */
const purchaseOf = ({ redirect_url }: ConsoleOrder): string =>
  /\/return\/([\w-]+)$/.exec(redirect_url)?.[1] ?? ''

const reasons = new Map(Object.entries(declines).map(([code, { reason }]) => [code, `${code}: ${reason}`]))

/** A decline code with its meaning. */
const reasonOf = (code: string): string => reasons.get(code) ?? code

/** In a narrow table, the line breaks before `for` and nowhere else. */
function amountOf({ quote, quote_amount, base, base_amount }: ConsoleOrder): string {
  const price = `${quote_amount}\u00a0${quote}`
  return base ? `${base_amount}\u00a0${base} for\u00a0${price}` : price
}

const cards = ['4242', ...reasons.keys()]
const cardNumber = (lastDigits: string): string =>
  lastDigits === '4242' ? '4242424242424242' : `400000000000${lastDigits}`

/** A whole purchase without the widget page. */
function Purchase({ act }: Pick<ViewProps, 'act'>): JSX.Element {
  return (
    <Form
      button="Make a purchase"
      onSend={({ email, product_id = '', card = '' }) =>
        act('POST', 'purchases', { email, card_number: cardNumber(card), params: { product_id } })
      }
    >
      <TextInput label="Shopper" name="email" start="shopper@example.com" />
      <TextInput label="product_id" name="product_id" start="gold-100" />
      <Choice
        label="Card"
        name="card"
        values={cards}
        nameOf={(digits) => (digits === '4242' ? '…4242 succeeds' : `Declined with ${reasonOf(digits)}`)}
      />
    </Form>
  )
}
